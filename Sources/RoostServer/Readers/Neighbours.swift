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
/// more. So a cold cache becomes warm after a fraction of the misses. A block is read once:
/// whatever is missed in it later has changed, or could not be had.
struct Neighbours {
  /// Blocks of one errand, which the reader's next gets have to wait for: about 0.5 ms.
  static let blocksMax = 8
  /// Blocks that are remembered; with one more all of them may be read again.
  static let triedMax = 1 << 16

  private var blocks: [NeighbourBlock] = []
  private var tried: Set<NeighbourBlock> = []
  /// An errand is under way; what is noted meanwhile waits for its end.
  var isReading = false

  /// Takes note of rows that a reader brought for gets of an entity without large values.
  mutating func note(_ found: FoundRows, _ cache: RowCache) {
    guard cache.hasRoom else { return }
    for fill in found.fills where fill.end - fill.start <= NeighbourBlock.rowBytesMax {
      guard blocks.count < Neighbours.blocksMax else { return }
      let block = NeighbourBlock(entity: found.entity, around: fill.row)
      if tried.count >= Neighbours.triedMax { tried.removeAll() }
      if tried.insert(block).inserted { blocks.append(block) }
    }
  }

  /// Everything may be read again: the cache has been emptied.
  mutating func forget() {
    blocks.removeAll()
    tried.removeAll()
  }

  /// The blocks to be read now, if there are any and no errand is under way.
  mutating func take() -> [NeighbourBlock]? {
    guard !isReading, !blocks.isEmpty else { return nil }
    isReading = true
    defer { blocks.removeAll(keepingCapacity: true) }
    return blocks
  }
}
