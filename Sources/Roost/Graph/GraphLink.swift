/// What all records of one graph share instead of a weak reference each.
final class GraphLink {
  weak var graph: ObjectGraph?
  var storeIdentifier: String?
  /// Looks for what others committed; set for contexts with a store.
  var follow: ContextTurn?

  init(_ graph: ObjectGraph) { self.graph = graph }
}

/// Names an object within a process: its class and its row.
package struct ObjectKey: Hashable, Sendable {
  package var model: UInt32
  package var row: Int64

  package init(model: UInt32, row: Int64) {
    self.model = model
    self.row = row
  }

  /// One word to hash instead of two; rows stay below 2^48 for long, classes below 2^16.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(bitPattern: row) ^ UInt64(model) << 48)
  }
}
