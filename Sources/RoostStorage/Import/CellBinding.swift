import RoostModel
import RoostSQLite

/// Why a cell cannot stand in its column.
enum CellProblem: Error {
  case mismatch(UInt8)
  case required
  case keyIsNull
  case keyIsNaN
  case dateIsNaN
  case notUTF8
  case tooLong
  case notCanonicalDecimal
  case inexactDouble
  /// A to-one that leads nowhere.
  case reference(StoreError)

  var detail: StatusDetail {
    switch self {
    case .required, .keyIsNull: .validation
    case .reference(let error): error.detail
    default: .badValue
    }
  }

  func message(_ column: ColumnLayout) -> String {
    switch self {
    case .mismatch(let tag): ValueCheck.mismatch(PackedTag.word(tag), column)
    case .required: "\(column.name) is required"
    case .keyIsNull: "\(column.name) is part of the key: not nil"
    case .keyIsNaN: "\(column.name) is unique: no NaN"
    case .dateIsNaN: "\(column.name): not a date"
    case .notUTF8: "\(column.name): the text is not UTF-8"
    case .tooLong: "\(column.name): longer than \(Limits.valueBytesMax >> 20) MiB"
    case .notCanonicalDecimal: "\(column.name): not a decimal number in canonical form"
    case .inexactDouble: "\(column.name): the whole number is not exact as Double"
    case .reference(let error): "\(column.name): \(error.message)"
    }
  }
}

extension PackedTag {
  /// What begins with this byte, for messages.
  static func word(_ tag: UInt8) -> String {
    switch tag {
    case smallInt..., int, wideInt: "Int"
    case shortText..<smallInt, text: "String"
    case null: "nil"
    case `false`, `true`: "Bool"
    case double: "Double"
    case blob: "Data"
    case date: "Date"
    case uuid: "UUID"
    case decimal: "Decimal"
    case list: "a list"
    case map: "a map"
    case reference, key: "a reference"
    default: "something unknown"
    }
  }
}

/// Binds packed cells to a statement without making values of them.
///
/// Text and bytes are bound where they lie: the chunk's bytes must stay until the step.
struct CellBinder {
  let statement: Statement

  /// Binds one cell of an attribute; nil if it went well.
  ///
  /// The reader stands behind the cell afterwards only if it went well.
  @inline(__always)
  func bind(
    _ reader: inout PackedReader, _ index: Int, _ kind: ColumnKind
  ) throws(PackedError) -> CellProblem? {
    let tag = try reader.peek()
    if tag == PackedTag.null {
      _ = try reader.byte()
      statement.bindNull(index)
      return nil
    }
    switch kind {
    case .int, .uint64: return try integer(&reader, index, tag)
    case .text, .json: return try text(&reader, index, tag)
    case .double: return try double(&reader, index, tag)
    case .bool:
      guard tag == PackedTag.true || tag == PackedTag.false else { return .mismatch(tag) }
      _ = try reader.byte()
      statement.bind(index, tag == PackedTag.true ? 1 : 0 as Int64)
      return nil
    default: return try rare(&reader, index, kind, tag)
    }
  }

  @inline(__always)
  private func integer(
    _ reader: inout PackedReader, _ index: Int, _ tag: UInt8
  ) throws(PackedError) -> CellProblem? {
    if tag >= PackedTag.smallInt {
      _ = try reader.byte()
      statement.bind(index, Int64(tag & 0x7F))
      return nil
    }
    guard let number = try reader.integer() else { return .mismatch(tag) }
    statement.bind(index, number)
    return nil
  }

  @inline(__always)
  private func text(
    _ reader: inout PackedReader, _ index: Int, _ tag: UInt8
  ) throws(PackedError) -> CellProblem? {
    let count: Int
    if tag >= PackedTag.shortText, tag < PackedTag.smallInt {
      _ = try reader.byte()
      count = Int(tag & 0x3F)
    } else if tag == PackedTag.text {
      _ = try reader.byte()
      count = try reader.count()
    } else {
      return .mismatch(tag)
    }
    let bytes = try reader.raw(count: count)
    if count > Limits.valueBytesMax { return .tooLong }
    guard UTF8Check.isValid(bytes) else { return .notUTF8 }
    return bound { () throws(SQLiteError) in try statement.bindText(index, borrowing: bytes) }
  }

  @inline(__always)
  private func double(
    _ reader: inout PackedReader, _ index: Int, _ tag: UInt8
  ) throws(PackedError) -> CellProblem? {
    switch tag {
    case PackedTag.double:
      guard case .double(let number) = try reader.value() else { return .mismatch(tag) }
      if number.isNaN {
        return bound { () throws(SQLiteError) in
          try statement.bind(index, ValueBinding.notANumber)
        }
      }
      statement.bind(index, number)
      return nil
    case PackedTag.smallInt..., PackedTag.int, PackedTag.wideInt:
      guard let number = try reader.integer() else { return .mismatch(tag) }
      guard number.magnitude <= UInt64(ValueCheck.exactDoubleMax) else { return .inexactDouble }
      statement.bind(index, Double(number))
      return nil
    default: return .mismatch(tag)
    }
  }

  private func rare(
    _ reader: inout PackedReader, _ index: Int, _ kind: ColumnKind, _ tag: UInt8
  ) throws(PackedError) -> CellProblem? {
    switch (kind, tag) {
    case (.date, PackedTag.date):
      guard let seconds = try reader.dateSeconds(), !seconds.isNaN else { return .dateIsNaN }
      statement.bind(index, seconds)
      return nil
    case (.uuid, PackedTag.uuid):
      _ = try reader.byte()
      let bytes = try reader.raw(count: 16)
      return bound { () throws(SQLiteError) in try statement.bindBlob(index, borrowing: bytes) }
    case (.data, PackedTag.blob):
      _ = try reader.byte()
      let bytes = try reader.raw(count: try reader.count())
      if bytes.count > Limits.valueBytesMax { return .tooLong }
      return bound { () throws(SQLiteError) in try statement.bindBlob(index, borrowing: bytes) }
    case (.decimal, PackedTag.decimal):
      guard case .decimal(let text) = try reader.value(), DecimalText.canonical(text) == text
      else { return .notCanonicalDecimal }
      return bound { () throws(SQLiteError) in try statement.bind(index, text) }
    default: return .mismatch(tag)
    }
  }

  /// Only a value above SQLite's own limit, a gigabyte, is refused here.
  @inline(__always)
  private func bound(_ body: () throws(SQLiteError) -> Void) -> CellProblem? {
    do {
      try body()
      return nil
    } catch {
      return .tooLong
    }
  }
}
