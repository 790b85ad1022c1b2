// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Value {
  public static func == (lhs: Value, rhs: Value) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let lhs), .bool(let rhs)): lhs == rhs
    case (.int(let lhs), .int(let rhs)): lhs == rhs
    case (.double(let lhs), .double(let rhs)), (.date(let lhs), .date(let rhs)):
      PackedWriter.canonicalBits(lhs) == PackedWriter.canonicalBits(rhs)
    case (.text(let lhs), .text(let rhs)), (.decimal(let lhs), .decimal(let rhs)):
      lhs.hasSameBytes(as: rhs)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    case (.uuid(let lhs), .uuid(let rhs)): lhs == rhs
    case (.list(let lhs), .list(let rhs)): lhs == rhs
    case (.map(let lhs), .map(let rhs)): lhs == rhs
    case (.reference(let lhs), .reference(let rhs)): lhs == rhs
    case (.result(let lhs), .result(let rhs)): lhs == rhs
    case (.key(let lhs), .key(let rhs)): lhs == rhs
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kindNumber)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value), .date(let value): hasher.combine(PackedWriter.canonicalBits(value))
    case .text(let value), .decimal(let value): value.hashBytes(into: &hasher)
    case .blob(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .result(let operation): hasher.combine(operation)
    case .key(let value): hasher.combine(value)
    }
  }

  /// Tells the kinds apart, and orders values of different kinds where an order is asked for.
  var kindNumber: UInt8 {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .double: 3
    case .date: 4
    case .decimal: 5
    case .text: 6
    case .blob: 7
    case .uuid: 8
    case .list: 9
    case .map: 10
    case .reference: 11
    case .result: 12
    case .key: 13
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension MapEntry {
  public static func == (lhs: MapEntry, rhs: MapEntry) -> Bool {
    lhs.key.hasSameBytes(as: rhs.key) && lhs.value == rhs.value
  }

  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}
