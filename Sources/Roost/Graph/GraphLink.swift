/// What all records of one graph share instead of a weak reference each.
final class GraphLink {
  weak var graph: ObjectGraph?
  var storeIdentifier: String?

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
}
