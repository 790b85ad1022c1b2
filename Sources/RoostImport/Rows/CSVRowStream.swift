import RoostModel

/// How a CSV file is written.
package struct CSVFormat: Hashable, Sendable {
  package var delimiter: UInt8
  /// Words that mean nil when they are not quoted, beside the empty cell.
  package var nullWords: [String]

  package init(delimiter: UInt8 = UInt8(ascii: ","), nullWords: [String] = []) {
    self.delimiter = delimiter
    self.nullWords = nullWords
  }
}

/// Columns of a CSV file, given its header: fields and what becomes of them.
package struct BoundHeader: Sendable {
  /// The cell of each slot.
  package var cells: [Int]
  package var columns: [BoundColumn]

  package init(cells: [Int], columns: [BoundColumn]) {
    self.cells = cells
    self.columns = columns
  }
}

/// Rows of a CSV file whose first record is its header.
package final class CSVRowStream: RecordStream {
  private let reader: CSVReader
  private let format: CSVFormat
  private let target: ImportTarget
  private let bind: ([String]) throws(BindingFault) -> BoundHeader
  private var state: State?

  package private(set) var isEnded = false
  package var remarks: [String] { [] }

  /// What is known once the header was read.
  private struct State {
    var fields: CSVFields
    var encoder: RowEncoder
    var indices: [Int]
    var builder: BatchBuilder
    var cellCount: Int
  }

  package init(
    _ target: ImportTarget, format: CSVFormat,
    bind: @escaping ([String]) throws(BindingFault) -> BoundHeader
  ) {
    self.target = target
    self.format = format
    self.bind = bind
    reader = CSVReader(delimiter: format.delimiter)
  }

  package func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into sink: inout some RowSink
  ) throws {
    guard !isEnded else { return }
    do throws(InputFault) {
      try reader.append(bytes)
    } catch {
      return try stop(error, &sink)
    }
    if isLast { reader.finish() }
    if state == nil { try readHeader(isLast: isLast) }
    guard var state else { return }
    // Moved out and back: a chunk under construction is never copied.
    self.state = nil
    defer { self.state = state }
    try readRows(&state, into: &sink)
    if isLast || isEnded, let batch = state.builder.take() { try sink.take(batch) }
  }

  private func stop(_ fault: InputFault, _ sink: inout some RowSink) throws {
    isEnded = true
    try sink.reject(fault)
    if let batch = state?.builder.take() { try sink.take(batch) }
  }

  private func readRows(_ state: inout State, into sink: inout some RowSink) throws {
    while true {
      var fault: InputFault?
      do throws(InputFault) {
        guard try reader.next() else { return }
        try readRow(&state)
      } catch {
        fault = error
      }
      if let fault {
        try sink.reject(fault)
        if fault.isFatal {
          isEnded = true
          return
        }
      } else if state.builder.isFull, let batch = state.builder.take() {
        try sink.take(batch)
      }
    }
  }

  @inline(__always)
  private func readRow(_ state: inout State) throws(InputFault) {
    guard reader.cellCount == state.cellCount else {
      throw InputFault(
        line: reader.line,
        reason: "the row has \(reader.cellCount) cells, the header \(state.cellCount)")
    }
    let fields = state.fields
    let encoder = state.encoder
    let indices = state.indices
    try state.builder.append(line: reader.line) { (writer) throws(CellFault) in
      try encoder.write(fields, indices: indices, into: &writer)
    }
  }

  private func readHeader(isLast: Bool) throws {
    var header: [String]?
    do throws(InputFault) {
      if try reader.next() { header = try CSVHeader.names(of: reader) }
    } catch {
      throw BindingFault("\(error)")
    }
    guard let header else {
      if isLast { throw BindingFault("the file is empty: a CSV file begins with its header") }
      return
    }
    let bound = try bind(header)
    let encoder = RowEncoder(bound.columns)
    state = State(
      fields: CSVFields(reader, cells: bound.cells, nullWords: format.nullWords),
      encoder: encoder, indices: Array(encoder.columns.indices),
      builder: BatchBuilder(
        entity: target.entity.id, schemaVersion: target.schema.version,
        columns: bound.columns.map(\.property)), cellCount: header.count)
  }
}

/// The first record of a CSV file.
package enum CSVHeader {
  /// The names in the reader's current record.
  package static func names(of reader: CSVReader) throws(InputFault) -> [String] {
    var names: [String] = []
    for index in 0..<reader.cellCount {
      let cell = reader.cell(index)
      guard UTF8Check.isValid(cell) else {
        throw InputFault(line: reader.line, reason: "the header is not UTF-8; convert the file")
      }
      guard !cell.contains(Byte.carriageReturn) else {
        throw InputFault(
          line: reader.line, reason: "lines end in CR alone; convert them to LF or CRLF")
      }
      names.append(String(decoding: cell, as: UTF8.self))
    }
    return names
  }

  /// Names as properties can have them: letters, digits and `_`, not beginning with a digit.
  ///
  /// The same header always gives the same names; a nameless column is called by its place.
  package static func propertyNames(_ header: [String]) -> [String] {
    var used: Set<String> = []
    return header.enumerated().map { index, name in
      var plain = propertyName(name)
      if plain.isEmpty { plain = "column\(index + 1)" }
      var unique = plain
      var number = 2
      while !used.insert(unique.lowercased()).inserted {
        unique = "\(plain)_\(number)"
        number += 1
      }
      return unique
    }
  }

  package static func propertyName(_ name: String) -> String {
    var plain = ""
    for scalar in name.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar) {
        plain.unicodeScalars.append(scalar)
      } else if !plain.isEmpty, plain.last != "_" {
        plain.append("_")
      }
    }
    while plain.last == "_", name.last != "_" { plain.removeLast() }
    if let first = plain.first, first.isNumber { plain = "_" + plain }
    return plain
  }
}
