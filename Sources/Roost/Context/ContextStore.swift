import RoostModel

/// A context's way to the store: a reader while it reads, one feed of commits.
final class ContextStore: GraphSource {
  let engine: any StoreEngine
  private let feed: any ChangeFeed
  /// Only while something is read: idle contexts leave the readers, of which there are not many,
  /// to others.
  private var reader: (any StoreReader)?
  private(set) var seenCommit: UInt64 = 0
  /// Why the last load behind a property failed; properties cannot throw.
  private(set) var loadError: StoreError?

  init(_ engine: any StoreEngine) {
    self.engine = engine
    feed = engine.makeChangeFeed()
    seenCommit = feed.latestCommit
  }

  /// One atomic load.
  var hasNews: Bool { feed.latestCommit != seenCommit }

  /// What others committed since the last call; nil when it is too much to follow.
  func news() -> [ChangeSet]? {
    seenCommit = feed.latestCommit
    return feed.drain()
  }

  /// Runs the body within one snapshot.
  func read<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // What observers read while a result is taken in belongs to that result's snapshot.
    if let reader { return try body(reader) }
    let borrowed = try engine.makeReader()
    _ = try borrowed.begin()
    reader = borrowed
    defer {
      reader = nil
      borrowed.end()
    }
    return try body(borrowed)
  }

  func rows(_ entity: EntityBinding, ids: [Int64]) -> RowBatch? {
    attempt { (reader) throws(StoreError) in
      // The objects they become stay in this process anyway.
      try reader.rows(entity.entity, ids: ids, columns: nil, bytesMax: .max)
    }
  }

  func related(_ entity: EntityBinding, row: Int64, property: PropertyID) -> [Int64]? {
    attempt { (reader) throws(StoreError) in
      try reader.related(entity.entity, row: row, property: property, rowsMax: .max)
    }
  }

  private func attempt<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) -> Result? {
    do throws(StoreError) {
      let result = try read(body)
      loadError = nil
      return result
    } catch {
      loadError = error
      return nil
    }
  }
}
