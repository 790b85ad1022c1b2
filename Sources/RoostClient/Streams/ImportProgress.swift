public import RoostModel

/// How far an import has come; counts are of rows the server has acknowledged.
public struct ImportProgress: Hashable, Sendable {
  /// Rows handed over so far, acknowledged or not.
  public var sent = 0
  /// Rows whose chunk is committed or was judged: accepted, rejected or unknown.
  public var acknowledged = 0
  /// Rows that are in the store now.
  public var accepted = 0
  /// Rows that are not, each with an error unless a chunk had more than its report holds.
  public var rejected = 0
  /// Rows of chunks the server took before a connection was lost, and of which it no longer knows
  /// how many it rejected: some may be missing in the store. To be certain, import them again
  /// under another id.
  public var unknown = 0
  /// The commit of the last chunk that was acknowledged.
  public var commit: UInt64 = 0
  /// Times the import was taken up again after a lost connection.
  public var resumptions = 0

  /// Nothing yet.
  public init() {}
}

/// A row that was not taken.
public struct ImportRowError: Hashable, Sendable {
  /// Counted from 0 over the whole import, in the order the rows were handed over.
  public var row: Int
  /// The precise reason.
  public var detail: StatusDetail
  /// The property that is wrong; nil when it is the row as a whole.
  public var property: PropertyID?
  /// The reason in words, without values.
  public var message: String

  package init(row: Int, detail: StatusDetail, property: PropertyID?, message: String) {
    self.row = row
    self.detail = detail
    self.property = property
    self.message = message
  }
}

/// What one acknowledgement brought.
public struct ImportReport: Sendable {
  /// The counts so far.
  public var progress: ImportProgress
  /// The errors of the chunk, at most a hundred.
  public var errors: [ImportRowError]
  /// The chunk's first row, counted from 0 over the whole import.
  public var firstRow: Int
  /// How many rows it had.
  public var rowCount: Int

  package init(progress: ImportProgress, errors: [ImportRowError], firstRow: Int, rowCount: Int) {
    self.progress = progress
    self.errors = errors
    self.firstRow = firstRow
    self.rowCount = rowCount
  }
}
