package import RoostModel

extension JSONValue {
  /// The packed form of a literal that stands for a value of `type`.
  package func packed(as type: AttributeType) throws(CellFault) -> [UInt8] {
    if self == .null { return [PackedTag.null] }
    var writer = PackedWriter()
    var fault: CellFault?
    Array(canonicalText.utf8).withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      do throws(CellFault) {
        guard let slot = try? cursor.value() else { throw CellFault("it is no JSON value") }
        try JSONCell.write(slot, bytes.part(slot.start, slot.count), as: type, into: &writer)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    return writer.bytes
  }

  /// The value of a literal that stands for a value of `type`.
  package func value(as type: AttributeType) throws(CellFault) -> Value {
    let bytes = try packed(as: type)
    let value = bytes.withUnsafeBytes { buffer in
      var reader = PackedReader(buffer)
      return try? reader.value()
    }
    guard let value else { throw CellFault("it is no value of type \(type.name)") }
    return value
  }
}
