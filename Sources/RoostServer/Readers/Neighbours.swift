import RoostModel

/// Consecutive identifiers of an entity, whose rows lie side by side in the store.
struct NeighbourBlock: Hashable, Sendable {
  static let rowCount = 32
  /// Longer rows lie on pages of their own, so that nothing is gained by reading several.
  static let rowBytesMax = 512

  let entity: EntityID
  let first: Int64

  init(entity: EntityID, around row: Int64) {
    self.entity = entity
    first = row & ~Int64(NeighbourBlock.rowCount - 1)
  }

  /// Identifiers begin at 1, so no block ends beyond the greatest one.
  var rows: ClosedRange<Int64> { first...first + Int64(NeighbourBlock.rowCount - 1) }
}

/// Which rows are read along with one that was missed, while the cache has room.
///
/// A miss costs two hops between threads and a search; a row on the same page costs a microsecond
/// more. So a cold cache becomes warm after a fraction of the misses. Nothing is read where a
/// neighbour is cached already: then the row itself had changed, and its block was read before.
struct Neighbours {
  /// Blocks of one errand, which the reader's next gets have to wait for: about 0.5 ms.
  static let blocksMax = 8

  private var blocks: [NeighbourBlock] = []
  /// An errand is under way; what is noted meanwhile waits for its end.
  var isReading = false

  /// Takes note of rows that a reader brought for gets.
  mutating func note(_ found: FoundRows, _ cache: RowCache) {
    guard cache.hasRoom else { return }
    for fill in found.fills where fill.end - fill.start <= NeighbourBlock.rowBytesMax {
      guard blocks.count < Neighbours.blocksMax else { return }
      let block = NeighbourBlock(entity: found.entity, around: fill.row)
      if !blocks.contains(block), !isKnown(fill.row, found.entity, cache) { blocks.append(block) }
    }
  }

  private func isKnown(_ row: Int64, _ entity: EntityID, _ cache: RowCache) -> Bool {
    cache.contains(entity: entity, row: row ^ 1) || cache.contains(entity: entity, row: row ^ 16)
  }

  /// The blocks to be read now, if there are any and no errand is under way.
  mutating func take() -> [NeighbourBlock]? {
    guard !isReading, !blocks.isEmpty else { return nil }
    isReading = true
    defer { blocks.removeAll(keepingCapacity: true) }
    return blocks
  }
}
