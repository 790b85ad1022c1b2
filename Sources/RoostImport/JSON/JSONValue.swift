/// One key of an object and its value.
package struct JSONMember: Hashable, Sendable {
  package var key: String
  package var value: JSONValue

  package init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

/// A small JSON document in memory: plans, schema files, values of `roost put`.
///
/// Members keep their order and numbers their text, so nothing is lost in reading.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it was written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  package subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    // The last of equal keys counts, as everywhere.
    return members.last { $0.key == key }?.value
  }

  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Without spaces, keys ascending bytewise, the last of equal keys kept: one value, one text.
  package var canonicalText: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): JSONEscapes.appendQuoted(text.utf8, to: &bytes)
    case .array(let items):
      bytes.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { bytes.append(Byte.comma) }
        item.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in JSONValue.canonical(members).enumerated() {
        if index > 0 { bytes.append(Byte.comma) }
        JSONEscapes.appendQuoted(member.key.utf8, to: &bytes)
        bytes.append(Byte.colon)
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func canonical(_ members: [JSONMember]) -> [JSONMember] {
    var last: [String: JSONValue] = [:]
    for member in members { last[member.key] = member.value }
    return last.map { JSONMember($0.key, $0.value) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

/// Reads whole documents.
package enum JSONDocument {
  /// Reads exactly one JSON value.
  ///
  /// - Throws: ``InputFault`` with the line of the mistake.
  package static func read(_ bytes: UnsafeRawBufferPointer) throws(InputFault) -> JSONValue {
    var cursor = JSONCursor(bytes)
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { cursor.offset = 3 }
    do throws(JSONStop) {
      let value = try tree(&cursor, depth: 0)
      cursor.skipSpace()
      guard cursor.offset == bytes.count else { throw cursor.wrong("nothing behind the value") }
      return value
    } catch {
      throw fault(error, in: bytes, firstLine: 1)
    }
  }

  package static func read(_ bytes: [UInt8]) throws(InputFault) -> JSONValue {
    let result = bytes.withUnsafeBytes { buffer -> Result<JSONValue, InputFault> in
      Result { () throws(InputFault) in try read(buffer) }
    }
    return try result.get()
  }

  static func fault(
    _ stop: JSONStop, in bytes: UnsafeRawBufferPointer, firstLine: Int
  ) -> InputFault {
    guard case .invalid(let at, let reason) = stop else {
      return InputFault(line: firstLine, reason: "it ends early", isFatal: true)
    }
    let before = bytes.part(0, min(at, bytes.count)).lineFeeds()
    return InputFault(line: firstLine + before, reason: "not JSON: \(reason)", isFatal: true)
  }

  private static func tree(
    _ cursor: inout JSONCursor, depth: Int
  ) throws(JSONStop) -> JSONValue {
    switch try cursor.peek("a JSON value") {
    case UInt8(ascii: "{"):
      var members: [JSONMember] = []
      try cursor.members(depth: depth) { (cursor, key) throws(JSONStop) in
        let name = text(key, in: cursor.bytes)
        members.append(JSONMember(name, try tree(&cursor, depth: depth + 1)))
      }
      return .object(members)
    case UInt8(ascii: "["):
      var items: [JSONValue] = []
      try cursor.elements(depth: depth) { (cursor) throws(JSONStop) in
        items.append(try tree(&cursor, depth: depth + 1))
      }
      return .array(items)
    default:
      return scalar(try cursor.value(depth: depth), in: cursor.bytes)
    }
  }

  private static func scalar(_ slot: JSONSlot, in bytes: UnsafeRawBufferPointer) -> JSONValue {
    switch slot.kind {
    case .true: .bool(true)
    case .false: .bool(false)
    case .wholeNumber, .number:
      .number(String(decoding: bytes.part(slot.start, slot.count), as: UTF8.self))
    case .string:
      .string(
        text(
          JSONText(start: slot.start, count: slot.count, hasEscapes: slot.hasEscapes), in: bytes))
    case .absent, .null, .array, .object: .null
    }
  }

  static func text(_ text: JSONText, in bytes: UnsafeRawBufferPointer) -> String {
    let raw = bytes.part(text.start, text.count)
    return text.hasEscapes
      ? String(decoding: JSONEscapes.resolved(raw), as: UTF8.self)
      : String(decoding: raw, as: UTF8.self)
  }
}

extension JSONValue {
  /// Over several lines with members in their order; what fits into one line stays on one.
  package var prettyText: String { pretty(indent: "") }

  private func pretty(indent: String) -> String {
    let flat = flatText
    if indent.count + flat.count <= 96, !isDeep { return flat }
    let inner = indent + "  "
    switch self {
    case .array(let items):
      let lines = items.map { inner + $0.pretty(indent: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let members):
      let lines = members.map { member in
        "\(inner)\(JSONEscapes.quoted(member.key)): \(member.value.pretty(indent: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    default: return flat
    }
  }

  /// Holds containers that hold something themselves.
  private var isDeep: Bool {
    switch self {
    case .object(let members): members.count > 4 || members.contains { $0.value.holdsSomething }
    case .array(let items): items.contains { $0.holdsSomething }
    default: false
    }
  }

  private var holdsSomething: Bool {
    switch self {
    case .object(let members): !members.isEmpty
    case .array(let items): !items.isEmpty
    default: false
    }
  }

  private var flatText: String {
    switch self {
    case .array(let items): "[\(items.map(\.flatText).joined(separator: ", "))]"
    case .object(let members):
      "{"
        + members.map { "\(JSONEscapes.quoted($0.key)): \($0.value.flatText)" }
        .joined(separator: ", ") + "}"
    default: canonicalText
    }
  }
}
