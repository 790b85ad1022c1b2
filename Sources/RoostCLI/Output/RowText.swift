import RoostImport
import RoostModel

/// Rows from their packed bytes to the bytes of CSV or JSON, without a value or a text of a cell
/// in between: a cell costs nanoseconds, and a query of millions of rows has many of them.
struct RowText: ~Copyable {
  /// What a column's type changes about its cells.
  private enum ColumnForm {
    case plain
    /// Integers are bit patterns of `UInt64`.
    case unsigned
    /// Text is the JSON it holds.
    case json
  }

  private let forms: [ColumnForm]
  /// Names of the columns as members of an object, each with what stands before it, one behind
  /// the other: an array of arrays would count references for every cell. Empty for CSV.
  private var names = ByteBuffer()
  private let nameEnds: [Int]
  private let isJSON: Bool
  private var dates = DateBytes()
  /// What was appended; whoever takes it away empties it.
  var output = ByteBuffer(reserving: Console.blockBytes)

  init(_ columns: [OutputColumn], isJSON: Bool) {
    self.isJSON = isJSON
    var forms: [ColumnForm] = []
    var nameEnds: [Int] = []
    for (index, column) in columns.enumerated() {
      switch column.type {
      case .uint64?: forms.append(.unsigned)
      case .json?: forms.append(isJSON ? .json : .plain)
      default: forms.append(.plain)
      }
      let start = index == 0 ? "{" : ","
      if isJSON { names.append("\(start)\(JSONEscapes.quoted(column.name)):") }
      nameEnds.append(names.count)
    }
    self.forms = forms
    self.nameEnds = nameEnds
  }

  /// Appends the row that the reader stands at: an object or a line's cells, without an end of
  /// line.
  mutating func append(_ reader: inout PackedReader) throws(PackedError) {
    isJSON ? try appendObject(&reader) : try appendCells(&reader)
  }

  private mutating func appendObject(_ reader: inout PackedReader) throws(PackedError) {
    if forms.isEmpty { output.append(UInt8(ascii: "{")) }
    var nameStart = 0
    for index in forms.indices {
      output.append(nameStart..<nameEnds[index], of: names)
      nameStart = nameEnds[index]
      try appendCell(&reader, forms[index])
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func appendCells(_ reader: inout PackedReader) throws(PackedError) {
    let start = output.count
    for index in forms.indices {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      try appendCell(&reader, forms[index])
    }
    // A single empty cell would be a blank line, which readers pass over.
    if forms.count == 1, output.count == start { output.append("\"\"") }
  }

  // MARK: Cells

  /// Most cells are short; the others have a function of their own, so that this one stays small
  /// enough for its parts to be inlined.
  private mutating func appendCell(
    _ reader: inout PackedReader, _ form: ColumnForm
  ) throws(PackedError) {
    let tag = try reader.peek()
    if tag >= PackedTag.smallInt {
      _ = try reader.byte()
      output.append(digits: UInt64(tag & 0x7F))
    } else if tag >= PackedTag.shortText {
      _ = try reader.byte()
      appendText(try reader.raw(count: Int(tag & 0x3F)), form)
    } else if tag == PackedTag.int {
      _ = try reader.byte()
      appendInteger(try reader.zigzag(), form)
    } else {
      try appendLonger(&reader, form)
    }
  }

  @inline(never)
  private mutating func appendLonger(
    _ reader: inout PackedReader, _ form: ColumnForm
  ) throws(PackedError) {
    let before = reader
    switch try reader.byte() {
    case PackedTag.null: if isJSON { output.append("null") }
    case PackedTag.false: output.append("false")
    case PackedTag.true: output.append("true")
    case PackedTag.wideInt: appendInteger(try reader.fixed(Int64.self), form)
    case PackedTag.double: appendDouble(Double(bitPattern: try reader.fixed(UInt64.self)))
    case PackedTag.date: appendDate(Double(bitPattern: try reader.fixed(UInt64.self)))
    case PackedTag.text: appendText(try reader.raw(count: try reader.count()), form)
    case PackedTag.decimal: appendText(try reader.raw(count: try reader.count()), .plain)
    case PackedTag.blob: appendBlob(try reader.raw(count: try reader.count()))
    case PackedTag.uuid: appendUUID(try reader.raw(count: 16))
    case PackedTag.reference:
      _ = try reader.identifier()
      if !isJSON { output.append(UInt8(ascii: "#")) }
      output.append(integer: try reader.zigzag())
    default:
      reader = before
      appendRare(try reader.value())
    }
  }

  private mutating func appendInteger(_ value: Int64, _ form: ColumnForm) {
    if form == .unsigned {
      output.append(digits: UInt64(bitPattern: value))
    } else {
      output.append(integer: value)
    }
  }

  private mutating func appendText(_ text: UnsafeRawBufferPointer, _ form: ColumnForm) {
    if !isJSON {
      CSVText.append(text, to: &output)
    } else if form == .json {
      // Stored as JSON text: it goes out as the JSON it is.
      output.append(text)
    } else {
      output.append(jsonString: text)
    }
  }

  /// NaN and the infinities, which JSON lacks, are strings there.
  private mutating func appendDouble(_ value: Double) {
    if value.isFinite || !isJSON { return output.append(number: value) }
    appendQuote()
    output.append(number: value)
    appendQuote()
  }

  private mutating func appendDate(_ seconds: Double) {
    appendQuote()
    dates.append(seconds, to: &output)
    appendQuote()
  }

  private mutating func appendBlob(_ bytes: UnsafeRawBufferPointer) {
    // In CSV nothing at all would be nil.
    if !isJSON, bytes.isEmpty { return output.append("\"\"") }
    appendQuote()
    output.append(base64: bytes)
    appendQuote()
  }

  private mutating func appendUUID(_ bytes: UnsafeRawBufferPointer) {
    appendQuote()
    output.append(uuid: bytes)
    appendQuote()
  }

  /// Of values that need no escapes: quotes in JSON, none in CSV.
  private mutating func appendQuote() {
    if isJSON { output.append(UInt8(ascii: "\"")) }
  }

  /// Lists, maps and keys: no column holds them, a computed value may.
  private mutating func appendRare(_ value: Value) {
    let text = ValueText.json(value).canonicalText
    output.append(isJSON ? text : CSVText.cell(text))
  }
}
