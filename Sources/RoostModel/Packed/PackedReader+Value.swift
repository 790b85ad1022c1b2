import FoundationEssentials

extension PackedReader {
  /// Reads one value of any kind.
  public mutating func value() throws(PackedError) -> Value {
    try value(depth: 0)
  }

  /// Reads a whole number without a value around it; nil, and nothing read, if it is none.
  package mutating func integer() throws(PackedError) -> Int64? {
    let start = offset
    switch try peek() {
    case let tag where tag >= PackedTag.smallInt:
      position = start + 1
      return Int64(tag & 0x7F)
    case PackedTag.int:
      position = start + 1
      return try narrowInt(from: start)
    case PackedTag.wideInt:
      position = start + 1
      return try wideInt(from: start)
    default: return nil
    }
  }

  /// Reads a date's seconds without a value around them; nil, and nothing read, if it is none.
  package mutating func dateSeconds() throws(PackedError) -> Double? {
    let start = offset
    guard try peek() == PackedTag.date else { return nil }
    position = start + 1
    return try canonicalDouble(from: start)
  }

  mutating func value(depth: Int) throws(PackedError) -> Value {
    guard depth < Limits.valueDepthMax else { throw .tooDeep(at: offset) }
    let start = offset
    let tag = try byte()
    switch tag {
    case PackedTag.smallInt...: return .int(Int64(tag & 0x7F))
    case PackedTag.shortText..<PackedTag.smallInt: return .text(try utf8(count: Int(tag & 0x3F)))
    case PackedTag.null: return .null
    case PackedTag.false: return .bool(false)
    case PackedTag.true: return .bool(true)
    case PackedTag.int: return .int(try narrowInt(from: start))
    case PackedTag.wideInt: return .int(try wideInt(from: start))
    case PackedTag.double: return .double(try canonicalDouble(from: start))
    case PackedTag.date: return .date(try canonicalDouble(from: start))
    case PackedTag.text: return .text(try longText(from: start))
    case PackedTag.blob: return .blob([UInt8](try raw(count: try count())))
    case PackedTag.uuid: return .uuid(try uuidBytes())
    case PackedTag.decimal: return .decimal(try utf8(count: try count()))
    case PackedTag.list: return .list(try items(depth: depth))
    case PackedTag.map: return .map(try entries(depth: depth))
    case PackedTag.reference:
      return .reference(RowReference(entity: try identifier(), row: try zigzag()))
    case PackedTag.result: return .result(operation: try identifier())
    case PackedTag.key: return .key(try key(depth: depth))
    default: throw .unknownTag(tag, at: start)
    }
  }

  @inline(__always)
  mutating func narrowInt(from start: Int) throws(PackedError) -> Int64 {
    let value = try zigzag()
    guard value < 0 || value > 127, PackedWriter.zigzag(value) >> 56 == 0 else {
      throw .notCanonical(at: start)
    }
    return value
  }

  private mutating func wideInt(from start: Int) throws(PackedError) -> Int64 {
    let value = try fixed(Int64.self)
    guard PackedWriter.zigzag(value) >> 56 != 0 else { throw .notCanonical(at: start) }
    return value
  }

  @inline(__always)
  mutating func canonicalDouble(from start: Int) throws(PackedError) -> Double {
    let bits = try fixed(UInt64.self)
    let value = Double(bitPattern: bits)
    guard PackedWriter.canonicalBits(value) == bits else { throw .notCanonical(at: start) }
    return value
  }

  private mutating func longText(from start: Int) throws(PackedError) -> String {
    let byteCount = try count()
    guard byteCount >= 64 else { throw .notCanonical(at: start) }
    return try utf8(count: byteCount)
  }

  private mutating func uuidBytes() throws(PackedError) -> UUID {
    UUID(uuid: try raw(count: 16).loadUnaligned(as: uuid_t.self))
  }

  private mutating func items(depth: Int) throws(PackedError) -> [Value] {
    let itemCount = try count()
    var items: [Value] = []
    items.reserveCapacity(min(itemCount, 1_024))
    for _ in 0..<itemCount { items.append(try value(depth: depth + 1)) }
    return items
  }

  private mutating func entries(depth: Int) throws(PackedError) -> [MapEntry] {
    let entryCount = try count(bytesEach: 2)
    var entries: [MapEntry] = []
    entries.reserveCapacity(min(entryCount, 1_024))
    for _ in 0..<entryCount {
      let start = offset
      guard case .text(let key) = try value(depth: depth + 1) else {
        throw .unexpectedValue(expected: "a text key", at: start)
      }
      if let last = entries.last, !last.key.utf8.lexicographicallyPrecedes(key.utf8) {
        throw .notCanonical(at: start)
      }
      entries.append(MapEntry(key, try value(depth: depth + 1)))
    }
    return entries
  }

  private mutating func key(depth: Int) throws(PackedError) -> KeyReference {
    let entity = try identifier()
    let partCount = try count(bytesEach: 2)
    guard partCount <= Limits.keyPartsMax else {
      throw .countTooLarge(UInt64(partCount), at: offset)
    }
    var constraint: [PropertyID] = []
    for _ in 0..<partCount { constraint.append(try identifier()) }
    var values: [Value] = []
    for _ in 0..<partCount { values.append(try value(depth: depth + 1)) }
    let flagOffset = offset
    let flag = try byte()
    guard flag <= 1 else { throw .unexpectedValue(expected: "0 or 1", at: flagOffset) }
    return KeyReference(
      entity: entity, constraint: constraint, values: values, createsMissing: flag == 1)
  }
}
