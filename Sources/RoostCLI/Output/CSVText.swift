/// Cells of CSV.
enum CSVText {
  /// The text of a cell, in quotes where RFC 4180 asks for them; "" is always quoted, nil never.
  static func cell(_ text: String) -> String {
    var output = ByteBuffer(reserving: text.utf8.count + 2)
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &output) }
    return output.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// The same from bytes to bytes.
  static func append(_ text: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
    if text.isEmpty { return output.append("\"\"") }
    if !needsQuotes(text) { return output.append(text) }
    output.reserve(2 * text.count + 2)
    output.put(quote)
    // Bytes, not characters: a quote with an accent on it is one character and a quote all the
    // same to whoever reads the file.
    for byte in text {
      if byte == quote { output.put(quote) }
      output.put(byte)
    }
    output.put(quote)
  }

  private static var quote: UInt8 { UInt8(ascii: "\"") }

  private static func needsQuotes(_ text: UnsafeRawBufferPointer) -> Bool {
    // Without a way out of the loop, so that it is done many bytes at a time.
    var found: UInt8 = 0
    for byte in text {
      found |= byte == UInt8(ascii: ",") ? 1 : 0
      found |= byte == quote ? 1 : 0
      found |= byte == 0x0A ? 1 : 0
      found |= byte == 0x0D ? 1 : 0
    }
    return found != 0
  }
}
