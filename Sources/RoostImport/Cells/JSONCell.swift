import RoostModel

/// A JSON value, packed as the value of an attribute.
enum JSONCell {
  /// Appends the value, or nothing and says why not.
  ///
  /// JSON says itself whether it means a number or a text, so `"517"` is no Int; a String takes
  /// numbers and Booleans as they are written.
  static func write(
    _ slot: JSONSlot, _ bytes: UnsafeRawBufferPointer, as type: AttributeType,
    into writer: inout PackedWriter
  ) throws(CellFault) {
    switch (type, slot.kind) {
    case (.json, .string): try writeJSONString(slot, bytes, into: &writer)
    case (.json, _): try CellText.write(bytes, as: .json, into: &writer)
    case (.bool, .true): writer.bool(true)
    case (.bool, .false): writer.bool(false)
    case (.text, .true), (.text, .false), (.text, .number), (.text, .wholeNumber):
      try CellText.write(bytes, as: .text, into: &writer)
    case (.int, .wholeNumber), (.uint64, .wholeNumber), (.double, .wholeNumber),
      (.double, .number), (.decimal, .wholeNumber), (.decimal, .number):
      try CellText.write(bytes, as: type, into: &writer)
    case (.int, .number):
      // 1e3 and 5.0 are whole numbers too.
      guard let value = NumberText.double(bytes), let exact = Int64(exactly: value),
        abs(value) < 0x1p53
      else { throw CellText.fault(bytes, type) }
      writer.int(exact)
    case (.text, .string), (.date, .string), (.uuid, .string), (.data, .string),
      (.decimal, .string):
      try writeString(slot, bytes, as: type, into: &writer)
    case (.double, .string) where isSpecial(bytes):
      // JSON has no word for these; everyone writes them as strings.
      try CellText.write(bytes, as: .double, into: &writer)
    default:
      throw wrongKind(slot, bytes, type)
    }
  }

  private static func isSpecial(_ bytes: UnsafeRawBufferPointer) -> Bool {
    NumberText.double(bytes).map { !$0.isFinite } ?? false
  }

  private static func writeString(
    _ slot: JSONSlot, _ bytes: UnsafeRawBufferPointer, as type: AttributeType,
    into writer: inout PackedWriter
  ) throws(CellFault) {
    guard slot.hasEscapes else { return try CellText.write(bytes, as: type, into: &writer) }
    let resolved = JSONEscapes.resolved(bytes)
    var fault: CellFault?
    resolved.withUnsafeBytes { buffer in
      do throws(CellFault) {
        try CellText.write(buffer, as: type, into: &writer)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
  }

  private static func writeJSONString(
    _ slot: JSONSlot, _ bytes: UnsafeRawBufferPointer, into writer: inout PackedWriter
  ) throws(CellFault) {
    let text = JSONText(start: 0, count: bytes.count, hasEscapes: slot.hasEscapes)
    writer.text(JSONValue.string(JSONDocument.text(text, in: bytes)).canonicalText)
  }

  private static func wrongKind(
    _ slot: JSONSlot, _ bytes: UnsafeRawBufferPointer, _ type: AttributeType
  ) -> CellFault {
    CellFault(
      "\(slot.kindName), \(CellFault.excerpt(bytes)), is not a value of type \(type.name): "
        + "\(CellText.expectation(type))\(type == .date || type == .uuid ? " as a string" : "")")
  }
}
