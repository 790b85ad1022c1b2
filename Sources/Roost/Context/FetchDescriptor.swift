public import Foundation

/// What to fetch: which instances, in which order, how many.
public struct FetchDescriptor<T: PersistentModel> {
  /// Which instances; nil for all.
  public var predicate: Predicate<T>?
  /// In which order; the row's identifier always decides last.
  public var sortBy: [SortDescriptor<T>]
  /// How many at most; nil for all.
  public var fetchLimit: Int?
  /// How many to leave out at the start.
  public var fetchOffset: Int?
  /// Whether what the context has not saved yet counts.
  public var includePendingChanges = true
  /// Attributes to read at once; the others are read when asked for. Empty for all.
  public var propertiesToFetch: [PartialKeyPath<T>] = []
  /// Relationships whose instances are read along.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []

  /// Describes a fetch.
  public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

// Predicates and sort descriptors are Sendable; key paths are immutable.
extension FetchDescriptor: @unchecked Sendable {}
