import Dispatch
import RoostImport
import RoostModel
import Synchronization

/// Files that are read one after the other into one entity, by one stream or shared by several.
struct ImportJob: Sendable {
  var target: ImportTarget
  var files: FileQueue
  /// A reader of one file's bytes; called on the thread that reads.
  var makeStream: @Sendable (InputFile) throws(BindingFault) -> any RecordStream
}

/// Files that wait to be read; each is taken once.
final class FileQueue: Sendable {
  let files: [InputFile]
  /// Of all of them, by whichever streams share them.
  let bytesRead = Atomic(0)
  private let nextIndex = Mutex(0)

  init(_ files: [InputFile]) { self.files = files }

  /// What the server shows as the import's source.
  var source: ImportDescriptor.Source? {
    guard let first = files.first else { return nil }
    let total = ImportCounters.bytesTotal(files)
    let more = files.count > 1 ? " and \(files.count - 1) more" : ""
    return ImportDescriptor.Source(
      name: first.name + more, byteCount: total.flatMap(UInt64.init(exactly:)))
  }

  func next() -> (index: Int, file: InputFile)? {
    nextIndex.withLock { index in
      guard index < files.count else { return nil }
      defer { index += 1 }
      return (index, files[index])
    }
  }
}

/// How far an import's reading has come; updated by several threads.
final class ImportCounters: Sendable {
  let bytesRead = Atomic(0)
  let rowsSent = Atomic(0)
  /// All bytes of all files; nil if one is a pipe.
  let bytesTotal: Int?

  init(_ files: [InputFile]) {
    bytesTotal = ImportCounters.bytesTotal(files)
  }

  /// The length of all files; nil if one is a pipe.
  static func bytesTotal(_ files: [InputFile]) -> Int? {
    var total = 0
    for file in files {
      guard let count = file.byteCount else { return nil }
      total += count
    }
    return total
  }
}

/// Reads the files of a job on a thread of its own, as fast as their rows are taken.
struct ImportReader: Sendable {
  let job: ImportJob
  let channel: BatchChannel
  let log: RejectLog
  let counters: ImportCounters
  let remark: @Sendable (String) -> Void

  /// Starts reading; the channel ends with the files or with what went wrong.
  func start() {
    DispatchQueue(label: "roost.import.read", qos: .userInitiated).async {
      channel.finish(Result { try readAll() })
    }
  }

  private func readAll() throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: CommandLimits.readBytes, alignment: 4_096)
    defer { buffer.deallocate() }
    while let (index, file) = job.files.next() {
      do {
        try read(file, index, buffer)
      } catch let fault as BindingFault {
        throw CommandFault("\(file.name): \(fault)")
      }
      file.finish()
    }
  }

  private func read(
    _ file: InputFile, _ index: Int, _ buffer: UnsafeMutableRawBufferPointer
  ) throws {
    let stream = try job.makeStream(file)
    var sink = Sink(
      file: file.name, index: index, queue: job.files, channel: channel, log: log)
    while !stream.isEnded {
      let count = try file.read(into: buffer)
      counters.bytesRead.wrappingAdd(count, ordering: .relaxed)
      job.files.bytesRead.wrappingAdd(count, ordering: .relaxed)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      try stream.read(bytes, isLast: count == 0, into: &sink)
      if count == 0 { break }
    }
    for text in stream.remarks { remark("\(file.name): \(text)") }
  }

  private struct Sink: RowSink {
    let file: String
    let index: Int
    let queue: FileQueue
    let channel: BatchChannel
    let log: RejectLog

    func take(_ batch: ImportBatch) throws {
      let offset = queue.bytesRead.load(ordering: .relaxed)
      try channel.put(
        FileBatch(file: index, batch: batch, sourceOffset: UInt64(clamping: offset)))
    }

    func reject(_ fault: InputFault) {
      let rest = fault.isFatal ? "; the rest of the file was not read" : ""
      log.add(
        Reject(
          file: file, line: fault.line, attribute: fault.attribute, reason: fault.reason + rest))
    }
  }
}

/// Runs blocking work on a thread that is not the cooperative pool's.
func onOwnThread<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "roost.work").async {
      continuation.resume(with: Swift.Result { try work() })
    }
  }
}
