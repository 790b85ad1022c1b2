package import RoostModel

/// Reads the parts of a list one after another, each with its type checked.
///
/// Messages are lists: a missing optional part is null, a part too many is an error.
package struct ListReader {
  package private(set) var reader: PackedReader
  package private(set) var left: Int
  private let what: String

  /// Enters a list that has at least `min` and at most `max` items.
  package init(
    _ reader: PackedReader, _ what: String, min: Int, max: Int = .max
  ) throws(MessageError) {
    self.reader = reader
    self.what = what
    left = 0
    left = try self.reader.enterList(what)
    guard left >= min, left <= max else {
      throw MessageError(.badValue, "\(what) has \(left) parts")
    }
  }

  package mutating func next<Item>(
    _ name: String, _ read: (inout PackedReader) throws(PackedError) -> Item
  ) throws(MessageError) -> Item {
    try take(name)
    do throws(PackedError) {
      return try read(&reader)
    } catch {
      throw MessageError(.badValue, "\(what), \(name): \(error)")
    }
  }

  package mutating func nested<Item>(
    _ name: String, _ read: (inout PackedReader) throws(MessageError) -> Item
  ) throws(MessageError) -> Item {
    try take(name)
    return try read(&reader)
  }

  /// nil for null, and then the part is read.
  package mutating func optional<Item>(
    _ name: String, _ read: (inout PackedReader) throws(MessageError) -> Item
  ) throws(MessageError) -> Item? {
    try take(name)
    do throws(PackedError) {
      if try reader.peek() == PackedTag.null {
        _ = try reader.byte()
        return nil
      }
    } catch {
      throw MessageError(error)
    }
    return try read(&reader)
  }

  /// All items of a list that stands here.
  package mutating func list<Item>(
    _ name: String, max: Int = .max,
    _ read: (inout PackedReader) throws(MessageError) -> Item
  ) throws(MessageError) -> [Item] {
    try take(name)
    return try reader.items("\(what), \(name)", max: max, read)
  }

  package mutating func end() throws(MessageError) -> PackedReader {
    guard left == 0 else { throw MessageError(.badValue, "\(what) has \(left) parts too many") }
    return reader
  }

  private mutating func take(_ name: String) throws(MessageError) {
    guard left > 0 else { throw MessageError(.badValue, "\(what) lacks \(name)") }
    left -= 1
  }
}

extension PackedReader {
  /// The count of a list whose items follow.
  package mutating func enterList(_ what: String) throws(MessageError) -> Int {
    do throws(PackedError) {
      let start = offset
      guard try byte() == PackedTag.list else {
        throw PackedError.unexpectedValue(expected: "a list", at: start)
      }
      return try count()
    } catch {
      throw MessageError(.badValue, "\(what): \(error)")
    }
  }

  package mutating func items<Item>(
    _ what: String, max: Int, _ read: (inout PackedReader) throws(MessageError) -> Item
  ) throws(MessageError) -> [Item] {
    let count = try enterList(what)
    guard count <= max else {
      throw MessageError(.badValue, "\(what) has \(count) items, at most \(max) are allowed")
    }
    var items: [Item] = []
    items.reserveCapacity(min(count, 1_024))
    for _ in 0..<count { items.append(try read(&self)) }
    return items
  }

  /// Nothing may follow a message.
  package func messageEnd() throws(MessageError) {
    do throws(PackedError) { try finish() } catch { throw MessageError(error) }
  }

  // MARK: Scalars as values

  package mutating func intValue() throws(PackedError) -> Int64 {
    let start = offset
    guard let number = try integer() else {
      throw .unexpectedValue(expected: "an integer", at: start)
    }
    return number
  }

  package mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(PackedError) -> Number {
    let start = offset
    guard let number = Number(exactly: try intValue()) else {
      throw .unexpectedValue(expected: "a smaller integer", at: start)
    }
    return number
  }

  /// An unsigned 64-bit number that travels as its bit pattern.
  package mutating func bits() throws(PackedError) -> UInt64 {
    UInt64(bitPattern: try intValue())
  }

  package mutating func boolValue() throws(PackedError) -> Bool {
    let start = offset
    switch try byte() {
    case PackedTag.true: return true
    case PackedTag.false: return false
    default: throw .unexpectedValue(expected: "a Bool", at: start)
    }
  }

  package mutating func textValue() throws(PackedError) -> String {
    let start = offset
    guard case .text(let text) = try value() else {
      throw .unexpectedValue(expected: "a text", at: start)
    }
    return text
  }

  package mutating func raw<Raw: RawRepresentable>(
    _ type: Raw.Type
  ) throws(PackedError) -> Raw where Raw.RawValue == UInt8 {
    let start = offset
    guard let value = Raw(rawValue: try number(UInt8.self)) else {
      throw .unexpectedValue(expected: "a known \(Raw.self)", at: start)
    }
    return value
  }

  /// Runs typed reads whose failure is the message's.
  package mutating func message<Item>(
    _ read: (inout PackedReader) throws(PackedError) -> Item
  ) throws(MessageError) -> Item {
    do throws(PackedError) { return try read(&self) } catch { throw MessageError(error) }
  }

  package mutating func propertyIDs() throws(MessageError) -> [PropertyID] {
    try items("columns", max: Limits.columnsMax) { reader throws(MessageError) in
      try reader.message { reader throws(PackedError) in try reader.number(PropertyID.self) }
    }
  }
}

extension PackedWriter {
  package mutating func bits(_ value: UInt64) { int(Int64(bitPattern: value)) }

  package mutating func id(_ value: UInt32) { int(Int64(value)) }

  package mutating func ids(_ values: [UInt32]) {
    list(count: values.count)
    for value in values { id(value) }
  }

  package mutating func optional<Item>(
    _ item: Item?, _ write: (inout PackedWriter, Item) -> Void
  ) {
    if let item { write(&self, item) } else { null() }
  }
}
