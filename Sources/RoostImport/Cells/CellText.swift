package import RoostModel

/// Text of a cell, packed as the value of an attribute.
package enum CellText {
  /// Appends the value, or nothing and says why not.
  ///
  /// - Complexity: O(bytes); no allocation for Bool, Int, Double, Date, UUID and String.
  @inline(__always)
  package static func write(
    _ bytes: UnsafeRawBufferPointer, as type: AttributeType, into writer: inout PackedWriter
  ) throws(CellFault) {
    switch type {
    case .int:
      guard let value = NumberText.int(bytes) else { throw fault(bytes, type) }
      writer.int(value)
    case .text:
      try writeText(bytes, into: &writer)
    case .date:
      guard let value = DateText.seconds(bytes) else { throw fault(bytes, type) }
      writer.date(value)
    case .double:
      guard let value = NumberText.double(bytes) else { throw fault(bytes, type) }
      writer.double(value)
    case .bool:
      guard let value = bool(bytes) else { throw fault(bytes, type) }
      writer.bool(value)
    case .uint64, .decimal, .uuid, .data, .json:
      try writeRare(bytes, as: type, into: &writer)
    }
  }

  private static func writeText(
    _ bytes: UnsafeRawBufferPointer, into writer: inout PackedWriter
  ) throws(CellFault) {
    guard UTF8Check.isValid(bytes) else {
      throw CellFault("\"\(CellFault.excerpt(bytes))\" is not UTF-8; convert the file first")
    }
    writer.text(utf8: bytes)
  }

  @inline(never)
  private static func writeRare(
    _ bytes: UnsafeRawBufferPointer, as type: AttributeType, into writer: inout PackedWriter
  ) throws(CellFault) {
    switch type {
    case .uint64:
      guard let value = NumberText.uint64(bytes) else { throw fault(bytes, type) }
      writer.int(Int64(bitPattern: value))
    case .decimal:
      guard let value = DecimalText.canonical(utf8: bytes) else { throw fault(bytes, type) }
      writer.decimal(value)
    case .uuid:
      guard let value = BinaryText.uuid(bytes) else { throw fault(bytes, type) }
      writer.uuid(value)
    case .data:
      guard let value = BinaryText.base64(bytes) else { throw fault(bytes, type) }
      value.withUnsafeBytes { writer.blob($0) }
    case .json:
      guard let value = try? JSONDocument.read(bytes) else { throw fault(bytes, type) }
      writer.text(value.canonicalText)
    default:
      throw fault(bytes, type)
    }
  }

  /// true and false, t and f, yes and no, y and n, 1 and 0, in any case.
  package static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    if bytes.count == 1 {
      switch bytes[0] {
      case UInt8(ascii: "1"), UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"),
        UInt8(ascii: "Y"):
        return true
      case UInt8(ascii: "0"), UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "n"),
        UInt8(ascii: "N"):
        return false
      default: return nil
      }
    }
    if bytes.isWord("true") || bytes.isWord("yes") { return true }
    if bytes.isWord("false") || bytes.isWord("no") { return false }
    return nil
  }

  static func fault(_ bytes: UnsafeRawBufferPointer, _ type: AttributeType) -> CellFault {
    .wrong(bytes, "a value of type \(type.name): \(expectation(type))")
  }

  /// What a value of the type looks like, with an example.
  package static func expectation(_ type: AttributeType) -> String {
    switch type {
    case .bool: "true or false"
    case .int: "a whole number between -2^63 and 2^63-1, such as 517"
    case .uint64: "a whole number between 0 and 2^64-1, such as 517"
    case .double: "a number such as 41.97"
    case .decimal: "a decimal number such as 19.90"
    case .date: "an ISO 8601 date such as 2013-01-01T10:00:00Z"
    case .uuid: "a UUID such as 6F9619FF-8B86-D011-B42D-00C04FC964FF"
    case .data: "bytes in base64"
    case .text: "text in UTF-8"
    case .json: "a JSON value"
    }
  }
}

extension CellText {
  /// The value that a text stands for.
  package static func value(
    _ text: String, as type: AttributeType
  ) throws(CellFault) -> Value {
    var text = text
    var writer = PackedWriter()
    var fault: CellFault?
    text.withUTF8 { bytes in
      do throws(CellFault) {
        try write(UnsafeRawBufferPointer(bytes), as: type, into: &writer)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    let value = writer.bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      return try? reader.value()
    }
    guard let value else { throw CellFault("it is no value of type \(type.name)") }
    return value
  }
}
