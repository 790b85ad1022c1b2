import RoostImport
import RoostModel

/// Feeds a text to a reader in portions of `step` bytes.
func feed(_ bytes: [UInt8], step: Int, _ portion: (UnsafeRawBufferPointer, Bool) throws -> Void)
  rethrows
{
  var start = 0
  while start < bytes.count || start == 0 {
    let end = min(bytes.count, start + max(1, step))
    let isLast = end == bytes.count
    try Array(bytes[start..<end]).withUnsafeBytes { try portion($0, isLast) }
    if isLast { return }
    start = end
  }
}

/// A cell as a test sees it: nil for an unquoted empty one.
struct Cell: Hashable, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  var text: String
  var isQuoted: Bool

  init(_ text: String, isQuoted: Bool) {
    self.text = text
    self.isQuoted = isQuoted
  }

  init(stringLiteral text: String) { self.init(text, isQuoted: false) }
  init(nilLiteral: ()) { self.init("", isQuoted: false) }

  static func quoted(_ text: String) -> Cell { Cell(text, isQuoted: true) }
}

/// What reading a CSV text gave: records with their lines, and faults.
struct CSVOutcome: Hashable {
  var records: [[Cell]] = []
  var lines: [Int] = []
  var faults: [InputFault] = []

  init(_ text: String, step: Int = .max) { self.init(Array(text.utf8), step: step) }

  init(_ bytes: [UInt8], step: Int) {
    let reader = CSVReader()
    feed(bytes, step: step) { portion, isLast in
      if faults.contains(where: \.isFatal) { return }
      do throws(InputFault) { try reader.append(portion) } catch { faults.append(error) }
      if isLast { reader.finish() }
      drain(reader)
    }
  }

  private mutating func drain(_ reader: CSVReader) {
    while true {
      do throws(InputFault) {
        guard try reader.next() else { return }
        lines.append(reader.line)
        records.append(
          (0..<reader.cellCount).map { index in
            Cell(
              String(decoding: reader.cell(index), as: UTF8.self),
              isQuoted: reader.isQuoted(index))
          })
      } catch {
        faults.append(error)
        if error.isFatal { return }
      }
    }
  }
}

/// Collects what a row stream gives.
struct ListSink: RowSink {
  var batches: [ImportBatch] = []
  var faults: [InputFault] = []

  mutating func take(_ batch: ImportBatch) { batches.append(batch) }
  mutating func reject(_ fault: InputFault) { faults.append(fault) }

  /// Rows of all chunks, each as its columns' values.
  func rows() throws -> [[Value]] { try batches.flatMap { try $0.rows.rows() } }
  var lines: [Int] { batches.flatMap(\.lines) }
}

extension RecordStream {
  func readAll(_ text: String, step: Int = .max) throws -> ListSink {
    var sink = ListSink()
    try feed(Array(text.utf8), step: step) { portion, isLast in
      try read(portion, isLast: isLast, into: &sink)
    }
    return sink
  }
}

extension AttributeType {
  /// The value that a CSV cell of this type stands for.
  func cell(_ text: String) throws(CellFault) -> Value {
    var writer = PackedWriter()
    var fault: CellFault?
    Array(text.utf8).withUnsafeBytes { bytes in
      do throws(CellFault) {
        try CellText.write(bytes, as: self, into: &writer)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    let value = writer.bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      return try? reader.value()
    }
    guard let value else { throw CellFault("packed form is unreadable") }
    return value
  }
}

/// Flights, airports and airlines with identifiers, as a store would give them.
let testSchema = StoreSchema(
  version: 3,
  entities: [
    EntitySchema(
      id: 1, name: "Flight",
      properties: [
        PropertySchema(id: 1, name: "ident", kind: .attribute(.text), isOptional: false),
        PropertySchema(id: 2, name: "actualOff", kind: .attribute(.date), isOptional: true),
        PropertySchema(id: 3, name: "distance", kind: .attribute(.int), isOptional: false),
        PropertySchema(id: 4, name: "speed", kind: .attribute(.double), isOptional: true),
        PropertySchema(
          id: 5, name: "origin",
          kind: .relationship(
            RelationshipSchema(destination: "Airport", isToMany: false, inverse: "flights")),
          isOptional: true),
      ], uniqueConstraints: [["ident"]]),
    EntitySchema(
      id: 2, name: "Airport",
      properties: [
        PropertySchema(id: 1, name: "icao", kind: .attribute(.text), isOptional: false),
        PropertySchema(id: 2, name: "city", kind: .attribute(.text), isOptional: true),
        PropertySchema(
          id: 3, name: "flights",
          kind: .relationship(
            RelationshipSchema(destination: "Flight", isToMany: true, inverse: "origin")),
          isOptional: false),
      ], uniqueConstraints: [["icao"]]),
  ])
