import FoundationEssentials
import RoostClient
import RoostModel

/// What the imports beside the requests came to.
struct ImportOutcome: Hashable, Sendable {
  var streams = 0
  var accepted = 0
  var rejected = 0
  /// Rows nobody knows about.
  var unknown = 0
  var seconds = 0.0
  /// Why streams ended before their time.
  var failures: [String] = []

  var rowsPerSecond: Double { seconds > 0 ? Double(accepted) / seconds : 0 }
}

/// Imports rows made from the schema while requests run, each stream over a connection of its own.
struct ImportBeside: Sendable {
  let url: RoostURL
  let options: BesideImports
  let entity: EntitySchema
  let schemaVersion: UInt32
  let maker: RowMaker
  private static let chunkRows: UInt64 = 1_000

  /// Runs until `end` or until the rows are used up.
  func run(from start: LoopInstant, until end: LoopInstant) async -> ImportOutcome {
    let wait = start.nanoseconds - min(start.nanoseconds, LoopInstant.now.nanoseconds)
    do { try await Task.sleep(for: .nanoseconds(wait)) } catch { return ImportOutcome() }
    return await withTaskGroup(of: ImportOutcome.self) { group in
      for stream in 0..<options.streams {
        group.addTask { await importing(UInt64(stream), until: end) }
      }
      var sum = ImportOutcome(streams: options.streams)
      for await part in group {
        sum.accepted += part.accepted
        sum.rejected += part.rejected
        sum.unknown += part.unknown
        sum.failures += part.failures
      }
      let taken = LoopInstant.now.nanoseconds - min(start.nanoseconds, LoopInstant.now.nanoseconds)
      sum.seconds = Double(taken) / 1e9
      return sum
    }
  }

  private func importing(_ stream: UInt64, until end: LoopInstant) async -> ImportOutcome {
    var outcome = ImportOutcome()
    var writer: ImportWriter?
    do throws(ClientError) {
      let client = try await RoostClient.connect(to: url, options: ClientOptions())
      defer { client.close() }
      let data = OwnData(
        client: client, entity: entity, schemaVersion: schemaVersion, maker: maker)
      let opened = client.openImport(data.descriptor)
      writer = opened
      // Streams number their rows apart.
      let base = stream << 32
      var next: UInt64 = 0
      while LoopInstant.now < end, next < UInt64(options.rows), !Interruption.hasCome {
        let last = min(UInt64(options.rows), next + ImportBeside.chunkRows)
        try await opened.send(data.batch(.imported, (base + next)..<(base + last)))
        next = last
      }
      outcome.take(try await opened.finish())
    } catch {
      outcome.failures = [error.description]
      if let writer {
        outcome.take(writer.progress)
        // What was sent and not acknowledged may be there.
        outcome.unknown += max(0, writer.progress.sent - writer.progress.acknowledged)
      }
    }
    return outcome
  }
}

extension ImportOutcome {
  fileprivate mutating func take(_ progress: ImportProgress) {
    accepted += progress.accepted
    rejected += progress.rejected
    unknown += progress.unknown
  }
}
