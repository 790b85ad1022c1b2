import FoundationEssentials
import RoostClient
import RoostImport
import RoostModel
import Synchronization

/// What an import came to.
struct ImportTotals: Hashable {
  var accepted = 0
  var rejected = 0
  /// Rows that may be among the accepted or the rejected: a connection was lost, and the server
  /// no longer knows what became of them.
  var unknown = 0
  var seconds = 0.0

  var rows: Int { accepted + rejected + unknown }
  var rowsPerSecond: Int { seconds > 0 ? Int((Double(rows) / seconds).rounded()) : 0 }

  /// Done only when every row is known to be in the store.
  var exitCode: Int32 { rejected == 0 && unknown == 0 ? ExitCode.done : ExitCode.failed }

  /// The promised last line of `--json`; `unknown` is in it only when it is not 0.
  var json: String {
    let milliseconds = (seconds * 1_000).rounded() / 1_000
    return "{\"rows\":\(rows),\"accepted\":\(accepted),\"rejected\":\(rejected),"
      + (unknown > 0 ? "\"unknown\":\(unknown)," : "")
      + "\"seconds\":\(milliseconds),\"rowsPerSecond\":\(rowsPerSecond)}"
  }
}

/// Runs the streams of an import at the same time, each over a connection of its own.
@MainActor
final class ImportRun {
  private let url: RoostURL
  private let streams: [ImportJob]
  private let log: RejectLog
  private let console: Console
  private let counters: ImportCounters
  /// How far each stream has come.
  private var progress: [ImportProgress]

  init(
    _ url: RoostURL, streams: [ImportJob], files: [InputFile], log: RejectLog, console: Console
  ) {
    self.url = url
    self.streams = streams
    self.log = log
    self.console = console
    counters = ImportCounters(files)
    progress = Array(repeating: ImportProgress(), count: streams.count)
  }

  /// Rows that are in the store for certain, however the import ended.
  var acceptedCount: Int { progress.reduce(0) { $0 + $1.accepted } }

  /// Imports everything.
  ///
  /// - Throws: The first error of a stream; the others are stopped then, and rows that the server
  ///   acknowledged stay.
  func run() async throws -> ImportTotals {
    let clock = ContinuousClock()
    let start = clock.now
    let line = ImportProgressLine(console, counters)
    let drawing = Task { await line.draw() }
    defer {
      drawing.cancel()
      line.clear()
    }
    let loop = try ClientLoop()
    defer { loop.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in streams.indices {
        group.addTask { try await self.run(index, loop) }
      }
      try await group.waitForAll()
    }
    let duration = start.duration(to: clock.now)
    let seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    return ImportTotals(
      accepted: acceptedCount, rejected: log.count,
      unknown: progress.reduce(0) { $0 + $1.unknown }, seconds: seconds)
  }

  private func run(_ index: Int, _ loop: ClientLoop) async throws {
    let job = streams[index]
    var options = ClientOptions()
    options.connection.agent = "roost-import/1"
    options.importPatience = CommandLimits.importPatience
    let client = try await RoostClient.connect(to: url, options: options, loop: loop)
    defer { client.close() }
    let shared = SharedReports()
    let descriptor = ImportDescriptor(
      id: UUID(), entity: job.target.entity.id, conflict: job.target.conflict,
      constraint: job.target.constraint, onRowError: .skip, source: job.files.source)
    let writer = client.openImport(descriptor) { shared.add($0) }
    let channel = BatchChannel()
    let console = console
    ImportReader(
      job: job, channel: channel, log: log, counters: counters,
      remark: { console.note("roost: \($0)") }
    ).start()
    var stream = StreamState(job: job, log: log)
    do {
      while let batch = try await channel.next() {
        stream.lines.add(batch)
        counters.rowsSent.wrappingAdd(batch.batch.rows.rowCount, ordering: .relaxed)
        try await writer.send(batch.batch.rows, sourceOffset: batch.sourceOffset)
        stream.judge(shared.take())
      }
      let progress = try await writer.finish()
      stream.judge(shared.take())
      self.progress[index] = progress
    } catch {
      progress[index] = writer.progress
      channel.abort()
      writer.abort()
      throw error
    }
  }
}

/// Reports that came from the client's loop and wait for the sending task.
///
/// Bounded by the chunks under way: the task empties it after each chunk it sends.
private final class SharedReports: Sendable {
  private let reports = Mutex<[ImportReport]>([])

  func add(_ report: ImportReport) { reports.withLock { $0.append(report) } }

  func take() -> [ImportReport] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }
}

/// One stream's rows under way and what the server said of them.
struct StreamState {
  let job: ImportJob
  let log: RejectLog
  var lines = LineMap()
  private var judged = ImportProgress()

  init(job: ImportJob, log: RejectLog) {
    self.job = job
    self.log = log
  }

  /// Notes rejected rows with the place they came from.
  mutating func judge(_ reports: [ImportReport]) {
    for report in reports {
      for error in report.errors { log.add(reject(error)) }
      let unnamed = report.progress.rejected - judged.rejected - report.errors.count
      if unnamed > 0 {
        let what = "\(unnamed) more rows of the chunk that begins here were rejected"
        log.add(chunk(report, what), rows: unnamed)
      }
      let unknown = report.progress.unknown - judged.unknown
      if unknown > 0 {
        let what =
          "the connection was lost, and the server no longer knows whether the \(unknown) rows "
          + "that begin here went in; import them again to be certain"
        log.add(chunk(report, what), rows: 0)
      }
      judged = report.progress
      lines.drop(before: judged.acknowledged)
    }
  }

  /// A remark on a whole chunk, at its first row.
  private func chunk(_ report: ImportReport, _ reason: String) -> Reject {
    let place = lines.place(ofRow: report.firstRow)
    return Reject(file: name(place?.file), line: place?.line, reason: reason)
  }

  private func reject(_ error: ImportRowError) -> Reject {
    let place = lines.place(ofRow: error.row)
    let attribute = error.property.flatMap { job.target.entity.property($0)?.name }
    return Reject(
      file: name(place?.file), line: place?.line, attribute: attribute, reason: error.message)
  }

  private func name(_ file: Int?) -> String { file.map { job.files.files[$0].name } ?? "" }
}
