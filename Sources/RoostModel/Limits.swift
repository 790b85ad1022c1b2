/// Every bound of values, rows, queries and writes; visible in HELLO and stats.
///
/// A bound that is reached answers with a numbered status that names it.
public enum Limits {
  /// Lists and maps inside one another.
  public static let valueDepthMax = 32
  /// Columns of one entity or batch; SQLite allows 2,000.
  public static let columnsMax = 1_000
  /// Entities of one schema.
  public static let entitiesMax = 1_000
  /// Properties of one unique constraint.
  public static let keyPartsMax = 16
  /// Bytes of an entity's or property's name.
  public static let nameBytesMax = 128
  /// Nodes of one predicate, sort or selection.
  public static let expressionNodesMax = 1_024
  /// Expressions inside one another.
  public static let expressionDepthMax = 32
  /// Values in one list of an `in`.
  public static let listValuesMax = 10_000
  /// Keys a query sorts by.
  public static let sortKeysMax = 64
  /// Keys of one get.
  public static let getKeysMax = 1_000
  /// Operations of one write.
  public static let writeOperationsMax = 10_000
  /// Rows of one import chunk.
  public static let chunkRowsMax = 10_000
  /// Bytes of a query in its text form.
  public static let queryTextBytesMax = 1 << 20
  /// Parentheses, braces, signs and chained operators inside one another in a query's text.
  public static let queryTextDepthMax = 80
  /// Bytes of one value: text, blob, json.
  public static let valueBytesMax = 16 << 20
}
