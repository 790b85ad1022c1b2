/// What queries that differ only in their literals, limit and offset have in common.
///
/// A store makes one when it first runs such a query and gives the same object ever after, until
/// its schema changes; equality and hash are the object's, so that a look-up costs little.
public final class QueryShape: Sendable {
  /// What is asked of the rows.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Their values.
    case fetch
    /// How many there are.
    case count
  }

  /// Whose rows are asked for; 0 for all shapes beyond the store's bound together.
  public let entity: EntityID
  /// What is asked of them.
  public let kind: Kind
  /// The query with `?` for each literal that is not nil, the limit and the offset; a list of any
  /// length is `[?]`. Prefetches are left out: their rows are read apart.
  public let text: String
  /// What SQLite runs; a list of more than one value shows two.
  public let sql: String
  /// The lines of EXPLAIN QUERY PLAN, indented by two spaces a level; empty if there is none.
  public let plan: [String]
  /// Whether the plan walks a table, or an index of it, from one end instead of searching it.
  ///
  /// Then no condition narrows what is read; only a limit may end the walk early, which
  /// ``QueryCost/rowsScanned`` tells.
  public let isFullScan: Bool
  /// The schema the plan was made for; a shape of an older one is met no more.
  public let schemaVersion: UInt32

  /// Makes one from its parts.
  public init(
    entity: EntityID, kind: Kind, text: String, sql: String = "", plan: [String] = [],
    isFullScan: Bool = false, schemaVersion: UInt32 = 0
  ) {
    self.entity = entity
    self.kind = kind
    self.text = text
    self.sql = sql
    self.plan = plan
    self.isFullScan = isFullScan
    self.schemaVersion = schemaVersion
  }

  /// The text of what is beyond the shapes that a store keeps.
  public static let othersText = "other queries"
}

extension QueryShape: Hashable {
  /// Whether both are one object.
  public static func == (lhs: QueryShape, rhs: QueryShape) -> Bool { lhs === rhs }
  /// Hashes which object it is.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What one query took of the store, so far or as a whole.
public struct QueryCost: Hashable, Sendable {
  /// What kind of query it is.
  public var shape: QueryShape
  /// Rows given; for a count, those that were counted.
  public var rows: Int
  /// Steps through a table or index that no condition narrowed. A count of all rows takes none:
  /// SQLite adds up pages.
  public var rowsScanned: Int
  /// Sorts that no index spared.
  public var sorts: Int
  /// Rows put into indexes that SQLite made for this query alone.
  public var autoIndexes: Int
  /// Time inside the store, compiling included; not what went by between two batches.
  public var nanoseconds: UInt64

  /// Makes one from its parts.
  public init(
    shape: QueryShape, rows: Int = 0, rowsScanned: Int = 0, sorts: Int = 0, autoIndexes: Int = 0,
    nanoseconds: UInt64 = 0
  ) {
    self.shape = shape
    self.rows = rows
    self.rowsScanned = rowsScanned
    self.sorts = sorts
    self.autoIndexes = autoIndexes
    self.nanoseconds = nanoseconds
  }
}
