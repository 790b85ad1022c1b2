import RoostModel
import RoostSQLite
import Testing

@testable import RoostStorage

@Suite struct RowPackerTests {
  private static let kinds: [ColumnKind] = [
    .bool, .int, .uint64, .double, .decimal, .date, .uuid, .data, .text, .json, .reference,
  ]
  /// Each storage class at its edges, as a foreign program may have put it into any column.
  private static let literals = [
    "NULL", "0", "1", "127", "128", "-1", "36028797018963967", "36028797018963968",
    "-9223372036854775808", "0.0", "-0.0", "1.5", "9e999", "''", "'text'", "'Björn'", "'12'",
    "printf('%.63c', 'x')", "printf('%.64c', 'x')", "printf('%.5000c', 'x')", "x''", "x'00ff'",
    "x'7FF8000000000000'", "x'00112233445566778899aabbccddeeff'", "zeroblob(3000)",
  ]

  /// Every storage class in a column of every kind, between neighbours that must stay whole.
  @Test(arguments: kinds)
  func givesTheBytesOfTheEncodingValueByValue(kind: ColumnKind) throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let columns = [
      ResultColumn.rowID, ResultColumn(kind, destination: 3), ResultColumn(.text),
      ResultColumn(kind, destination: 3),
    ]
    for first in Self.literals {
      for last in Self.literals {
        let statement = try connection.take("SELECT 7, \(first), 'between', \(last)")
        #expect(try statement.step())
        let packed = Self.packed(statement, columns)
        statement.reset()
        #expect(try statement.step())
        let encoded = Self.encoded(statement, columns)
        connection.giveBack(statement)
        #expect(packed == encoded, "\(first), \(last)")
      }
    }
  }

  /// Two rows, so that the second goes on behind the first; nil for text that is none.
  private static func packed(_ statement: Statement, _ columns: [ResultColumn]) -> [UInt8]? {
    var packer = RowPacker(columns, reserving: 0)
    do throws(StoreError) {
      for _ in 0..<2 { try packer.append(statement, bytesMax: .max) }
    } catch {
      return nil
    }
    let count = packer.count
    let bytes = packer.take()
    return bytes.count == count ? bytes : nil
  }

  private static func encoded(_ statement: Statement, _ columns: [ResultColumn]) -> [UInt8]? {
    var writer = PackedWriter()
    do throws(StoreError) {
      for _ in 0..<2 {
        for (index, column) in columns.enumerated() {
          try RowEncoding.append(statement, index, column, to: &writer, bytesMax: .max)
        }
      }
    } catch {
      return nil
    }
    return writer.bytes
  }

  @Test func refusesMoreBytesThanMayBeReadAndTextThatIsNone() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let statement = try connection.take("SELECT 'abc', CAST(x'ff' AS TEXT)")
    #expect(try statement.step())
    var packer = RowPacker([ResultColumn(.text)], reserving: 0)
    try packer.append(statement, bytesMax: 3)
    #expect(throws: StoreError.self) { try Self.append(statement, [.text], bytesMax: 2) }
    #expect(throws: StoreError.self) { try Self.append(statement, [.data, .text], bytesMax: 99) }
  }

  private static func append(
    _ statement: Statement, _ kinds: [ColumnKind], bytesMax: Int
  ) throws(StoreError) {
    var packer = RowPacker(kinds.map { ResultColumn($0) }, reserving: 0)
    try packer.append(statement, bytesMax: bytesMax)
  }

  @Test func aMissingRowIsNullThroughout() {
    var packer = RowPacker([.rowID, ResultColumn(.text)], reserving: 0)
    for _ in 0..<100 { packer.appendMissing() }
    let packed = packer.take()
    #expect(packed == [UInt8](repeating: PackedTag.null, count: 200))
    let rest = packer.take()
    #expect(rest.isEmpty)
  }
}
