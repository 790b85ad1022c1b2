/// What all records of one graph share instead of a weak reference each.
final class GraphLink {
  weak var graph: ObjectGraph?
  var storeIdentifier: String?
  /// Looks for what others committed; set for contexts with a store.
  var follow: (any GraphFollower)?

  init(_ graph: ObjectGraph) { self.graph = graph }
}

/// Decides when reading a property may bring in what others committed.
protocol GraphFollower: AnyObject {
  /// Cheap: called for every property that is read.
  func follow()
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
