/// One column and the value it gets.
public struct Assignment: Hashable, Sendable {
  /// The column.
  public var property: PropertyID
  /// What it gets; null clears.
  public var value: Value

  /// Makes one from its parts.
  public init(_ property: PropertyID, _ value: Value) {
    self.property = property
    self.value = value
  }
}

/// The row an operation works on.
public enum RowTarget: Hashable, Sendable {
  case row(Int64)
  /// The row an earlier operation of the same write made; counted from 0.
  case result(operation: UInt32)
}

/// One step of a write; all steps of a write succeed or none does.
///
/// To-one values are ``Value/reference(_:)``, ``Value/result(operation:)`` or
/// ``Value/key(_:)``; null clears. Delete rules are the store's work: a delete nullifies, cascades
/// or is denied as the schema says.
public enum WriteOperation: Hashable, Sendable {
  /// Makes a row; `row` is an identifier from ``StoreEngine/allocateRows(entity:count:)`` or nil.
  ///
  /// A unique conflict is ALREADY_EXISTS.
  case insert(EntityID, row: Int64?, [Assignment])
  /// Changes the named columns; NOT_FOUND if the row is gone.
  case update(EntityID, RowTarget, [Assignment], ifRevision: UInt64?)
  case delete(EntityID, RowTarget, ifRevision: UInt64?)
  /// Inserts, or on a conflict updates the named columns of the row that is there.
  ///
  /// `constraint` nil means whichever unique constraint conflicts. `row` as in insert; the
  /// surviving row's identifier is in the result.
  case upsert(EntityID, row: Int64?, constraint: [PropertyID]?, [Assignment])
  /// Adds a pair to a many-to-many or one-way to-many; a pair that is there stays one.
  case link(EntityID, RowTarget, PropertyID, Value)
  case unlink(EntityID, RowTarget, PropertyID, Value)
}

/// What an operation did.
public enum WriteOutcome: UInt8, Hashable, Sendable {
  case inserted = 1
  case updated = 2
  case deleted = 3
  case linked = 4
  case unlinked = 5
  case unchanged = 6
}

/// One result for each operation, in order.
public struct OperationResult: Hashable, Sendable {
  /// The row that was made, changed or deleted.
  public var row: Int64
  /// What was done to it.
  public var outcome: WriteOutcome

  /// Makes one from its parts.
  public init(row: Int64, outcome: WriteOutcome) {
    self.row = row
    self.outcome = outcome
  }
}

/// Operations that are committed together.
public struct WriteBatch: Hashable, Sendable {
  /// In the order they are done.
  public var operations: [WriteOperation]
  /// The schema's version the identifiers were taken from.
  public var schemaVersion: UInt32
  /// Who wrote, for history.
  public var author: String?

  /// Makes one from its parts.
  public init(operations: [WriteOperation], schemaVersion: UInt32, author: String? = nil) {
    self.operations = operations
    self.schemaVersion = schemaVersion
    self.author = author
  }
}

/// What a commit gave.
public struct WriteResult: Hashable, Sendable {
  /// The number of the commit that holds the write: the token for reading one's own writes.
  public var commit: UInt64
  /// One for each operation.
  public var results: [OperationResult]

  /// Makes one from its parts.
  public init(commit: UInt64, results: [OperationResult]) {
    self.commit = commit
    self.results = results
  }
}
