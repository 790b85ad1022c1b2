package import RoostModel

/// A record's values by slot, however the record was written.
package protocol FieldSource {
  /// The record does not name the field at all; never so in CSV.
  func isAbsent(_ slot: Int) -> Bool
  /// The field has no value: null, absent, or one of the words for nil.
  func isNull(_ slot: Int) -> Bool
  /// Appends a value that is not null.
  func write(
    _ slot: Int, as type: AttributeType, into writer: inout PackedWriter
  ) throws(CellFault)
}

/// The current row of a ``CSVReader``.
package struct CSVFields: FieldSource {
  let reader: CSVReader
  /// Which cell each slot is.
  let cells: [Int]
  /// Unquoted words that mean nil, beside the empty one.
  let nullWords: [[UInt8]]

  package init(_ reader: CSVReader, cells: [Int], nullWords: [String]) {
    self.reader = reader
    self.cells = cells
    self.nullWords = nullWords.map { Array($0.utf8) }
  }

  @inline(__always)
  package func isAbsent(_ slot: Int) -> Bool { false }

  @inline(__always)
  package func isNull(_ slot: Int) -> Bool {
    let index = cells[slot]
    if reader.isQuoted(index) { return false }
    let bytes = reader.cell(index)
    if bytes.isEmpty { return true }
    for word in nullWords where bytes.equals(word) { return true }
    return false
  }

  @inline(__always)
  package func write(
    _ slot: Int, as type: AttributeType, into writer: inout PackedWriter
  ) throws(CellFault) {
    try CellText.write(reader.cell(cells[slot]), as: type, into: &writer)
  }
}

/// The current record of a ``JSONRecordReader``.
package struct JSONFields: FieldSource {
  let reader: JSONRecordReader

  package init(_ reader: JSONRecordReader) { self.reader = reader }

  package func isAbsent(_ slot: Int) -> Bool { reader.slots[slot].kind == .absent }

  package func isNull(_ slot: Int) -> Bool {
    let kind = reader.slots[slot].kind
    return kind == .absent || kind == .null
  }

  package func write(
    _ slot: Int, as type: AttributeType, into writer: inout PackedWriter
  ) throws(CellFault) {
    let value = reader.slots[slot]
    try JSONCell.write(value, reader.bytes(of: value), as: type, into: &writer)
  }
}
