/// Rows that a run makes before it begins.
struct DataPlan: Hashable, Sendable {
  /// The entity is made to have so many.
  var rows = 10_000
  /// Bytes of each text.
  var textBytes = 64
  /// A file whose rows go in instead of made ones, and stay.
  var file: String?
  /// Whether they stay for the next run.
  var keeps = false

  /// The entity scenarios make when none is named.
  static let ownEntity = "RoostLoadItem"
}

/// Imports that run beside the requests, from the first to the last.
struct BesideImports: Hashable, Sendable {
  var streams = 1
  /// Rows each of them brings at most.
  var rows = LoadLimits.besideRowsMax
}
