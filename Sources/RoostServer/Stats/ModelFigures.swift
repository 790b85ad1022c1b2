import RoostModel

/// Reads of one entity since the server was made.
struct ModelFigures {
  /// Rows that gets brought, from the cache or the store.
  var gets: UInt64 = 0
  /// Those of them that came from the store.
  var getMisses: UInt64 = 0
  var queries: UInt64 = 0
  /// Rows that fetches brought.
  var rowsRead: UInt64 = 0
  /// Rows that SQLite stepped over one by one for want of an index.
  var rowsScanned: UInt64 = 0
  var fullScans: UInt64 = 0
}

/// The figures of all entities; identifiers are small and never reused.
struct ModelTable {
  /// An identifier beyond it is not counted apart, so that no number from outside takes memory.
  static let entitiesMax = Limits.entitiesMax * 4

  private var figures: [ModelFigures] = []

  subscript(entity: EntityID) -> ModelFigures {
    Int(entity) < figures.count ? figures[Int(entity)] : ModelFigures()
  }

  /// - Complexity: O(1) and no allocation but for the first of an entity.
  @inline(__always)
  mutating func count(_ entity: EntityID, _ change: (inout ModelFigures) -> Void) {
    let index = Int(entity)
    if index >= figures.count {
      guard index < ModelTable.entitiesMax else { return }
      figures += repeatElement(ModelFigures(), count: index + 1 - figures.count)
    }
    change(&figures[index])
  }
}
