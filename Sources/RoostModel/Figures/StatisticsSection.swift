/// What a server tells beyond its counters, each a list of maps; `Protocol/SPEC.md`, "Stats".
public enum StatisticsSection: String, Hashable, Sendable, CaseIterable {
  /// Connections, those with most requests first.
  case clients
  /// Imports that run, then the last that ended.
  case imports
  /// Entities by name.
  case models
  /// Calls that have not ended, the oldest first.
  case operations
  /// Shapes of queries, those that took most time first.
  case queries
}
