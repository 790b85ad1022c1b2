import RoostModel

/// Values of a unique constraint to ask rows by.
struct LookupKeys: Hashable, Sendable {
  var constraint: [PropertyID] = []
  /// The values of some rows, spread over all.
  var keys: [[Value]] = []
}
