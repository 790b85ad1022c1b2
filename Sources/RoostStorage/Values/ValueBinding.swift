import FoundationEssentials
import RoostModel
import RoostSQLite

/// Binds single values, for writes of a few rows and literals of queries.
enum ValueBinding {
  /// NaN as SQLite can keep it: greater than every number, equal to itself.
  static let notANumber: [UInt8] = [0x7F, 0xF8, 0, 0, 0, 0, 0, 0]

  /// Checks the value against the column and binds it; references must be resolved before.
  static func bind(
    _ value: Value, to statement: Statement, _ index: Int, _ column: ColumnLayout
  ) throws(StoreError) {
    if column.kind == .reference {
      switch value {
      case .null: statement.bindNull(index)
      case .reference(let reference) where reference.entity == column.destination:
        statement.bind(index, reference.row)
      default: throw mismatch(value, column)
      }
      return
    }
    guard ValueCheck.fits(value, column.kind) else { throw mismatch(value, column) }
    if column.kind == .double, case .int(let number) = value {
      statement.bind(index, Double(number))
      return
    }
    try sqlite { () throws(SQLiteError) in try bind(literal: value, to: statement, index) }
  }

  /// Binds a value in the form its type is stored in.
  static func bind(
    literal value: Value, to statement: Statement, _ index: Int
  ) throws(SQLiteError) {
    switch value {
    case .bool(let flag): statement.bind(index, flag ? 1 : 0 as Int64)
    case .int(let number): statement.bind(index, number)
    case .double(let number), .date(let number):
      if number.isNaN {
        try statement.bind(index, notANumber)
      } else {
        statement.bind(index, number)
      }
    case .text(let text), .decimal(let text): try statement.bind(index, text)
    case .blob(let bytes): try statement.bind(index, bytes)
    case .uuid(let uuid):
      try statement.bind(index, withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })
    case .reference(let reference): statement.bind(index, reference.row)
    case .null, .list, .map, .result, .key: statement.bindNull(index)
    }
  }

  private static func mismatch(_ value: Value, _ column: ColumnLayout) -> StoreError {
    StoreError(
      .invalidArgument, .badValue, ValueCheck.mismatch(ValueCheck.word(value), column))
  }
}
