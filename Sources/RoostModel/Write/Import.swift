public import FoundationEssentials

/// What an import does when a row's unique key exists already.
public enum ImportConflict: UInt8, Hashable, Sendable, CaseIterable {
  /// Only the named columns change; the later row wins.
  case update = 0
  case ignore = 1
  case fail = 2
}

/// What an import does with a row that cannot go in.
public enum RowErrorPolicy: UInt8, Hashable, Sendable {
  /// The chunk is rolled back and the import ends.
  case fail = 0
  /// The row is reported, the rest of the chunk goes in.
  case skip = 1
}

/// How the chunks of one import are taken.
public struct ImportDescriptor: Hashable, Sendable {
  /// Names the import; the same after a reconnection.
  public var id: UUID
  /// The entity that gets the rows.
  public var entity: EntityID
  /// What happens to a row whose key exists.
  public var conflict: ImportConflict
  /// The unique constraint that identifies rows; nil for whichever conflicts.
  public var constraint: [PropertyID]?
  /// What happens to a row that cannot go in.
  public var onRowError: RowErrorPolicy
  /// Where the rows come from, for whoever watches; it changes nothing.
  public var source: Source?

  /// Makes one from its parts.
  public init(
    id: UUID, entity: EntityID, conflict: ImportConflict, constraint: [PropertyID]?,
    onRowError: RowErrorPolicy, source: Source? = nil
  ) {
    self.id = id
    self.entity = entity
    self.conflict = conflict
    self.constraint = constraint
    self.onRowError = onRowError
    self.source = source
  }
}

extension ImportDescriptor {
  /// The name and the size of what is imported, as statistics show them.
  public struct Source: Hashable, Sendable {
    /// A file's name; at most 256 bytes go over the wire.
    public var name: String
    /// Its length; nil if that is not known.
    public var byteCount: UInt64?

    /// Makes one from its parts.
    public init(name: String, byteCount: UInt64? = nil) {
      self.name = name
      self.byteCount = byteCount
    }
  }
}

/// Rows of an import, numbered from 0; the store takes each number once.
///
/// The batch's columns are those the rows name; to-one columns hold null, references or key
/// references. The bytes go to SQLite as they are: they may be anything and are checked there.
public struct ImportChunk: Hashable, Sendable {
  /// Its place in the import, from 0.
  public var number: UInt64
  /// The rows, packed.
  public var rows: RowBatch
  /// Bytes of the source read when these rows had been; for a progress in statistics.
  public var sourceOffset: UInt64?

  /// Makes one from its parts.
  public init(number: UInt64, rows: RowBatch, sourceOffset: UInt64? = nil) {
    self.number = number
    self.rows = rows
    self.sourceOffset = sourceOffset
  }
}

/// A row that was not taken, and why.
public struct RowError: Hashable, Sendable {
  /// Within the chunk, from 0.
  public var row: Int
  /// The reason.
  public var detail: StatusDetail
  /// The property whose value was refused, if it was one.
  public var property: PropertyID?
  /// The reason in words.
  public var message: String

  /// Makes one from its parts.
  public init(row: Int, detail: StatusDetail, property: PropertyID?, message: String) {
    self.row = row
    self.detail = detail
    self.property = property
    self.message = message
  }
}

/// The store's word for one chunk, given after its commit.
public struct ImportAcknowledgement: Hashable, Sendable {
  /// Its place in the import, from 0.
  public var number: UInt64
  /// Rows that went in when the chunk was taken; 0 when ``hasCounts`` is false.
  public var accepted: Int
  /// Rows that did not; 0 when ``hasCounts`` is false.
  public var rejected: Int
  /// The commit that holds the rows, or a later one.
  public var commit: UInt64
  /// The first hundred of the chunk; of a duplicate perhaps fewer.
  public var errors: [RowError]
  /// The chunk had been taken before; nothing was done, the counts are those of then.
  public var isDuplicate: Bool

  /// Whether it is known what became of the rows: false for a duplicate whose report the store
  /// keeps no more.
  public var hasCounts: Bool { !isDuplicate || accepted > 0 || rejected > 0 }

  /// Makes one from its parts.
  public init(
    number: UInt64, accepted: Int, rejected: Int, commit: UInt64, errors: [RowError] = [],
    isDuplicate: Bool = false
  ) {
    self.number = number
    self.accepted = accepted
    self.rejected = rejected
    self.commit = commit
    self.errors = errors
    self.isDuplicate = isDuplicate
  }
}
