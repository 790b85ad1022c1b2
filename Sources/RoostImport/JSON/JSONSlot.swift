/// One value of a record: what it is and where it lies. Nothing is copied.
package struct JSONSlot: Hashable {
  package enum Kind: UInt8, Hashable {
    /// The record has no such key.
    case absent
    case null
    case `true`
    case `false`
    case wholeNumber
    case number
    case string
    case array
    case object
  }

  package var kind: Kind
  var start: Int
  var count: Int
  var hasEscapes: Bool

  static let absent = JSONSlot(kind: .absent, start: 0, count: 0, hasEscapes: false)

  /// The word for the kind in messages.
  var kindName: String {
    switch kind {
    case .absent: "nothing"
    case .null: "null"
    case .true: "true"
    case .false: "false"
    case .wholeNumber, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONCursor {
  /// Steps over one whole value and says what it was.
  mutating func value(depth: Int = 0) throws(JSONStop) -> JSONSlot {
    let first = try peek("a JSON value")
    let start = offset
    switch first {
    case Byte.quote:
      let text = try string("a string")
      return JSONSlot(
        kind: .string, start: text.start, count: text.count, hasEscapes: text.hasEscapes)
    case UInt8(ascii: "{"):
      try skipObject(depth: depth)
      return JSONSlot(kind: .object, start: start, count: offset - start, hasEscapes: false)
    case UInt8(ascii: "["):
      try skipArray(depth: depth)
      return JSONSlot(kind: .array, start: start, count: offset - start, hasEscapes: false)
    case UInt8(ascii: "t"):
      try literal("true")
      return JSONSlot(kind: .true, start: start, count: 4, hasEscapes: false)
    case UInt8(ascii: "f"):
      try literal("false")
      return JSONSlot(kind: .false, start: start, count: 5, hasEscapes: false)
    case UInt8(ascii: "n"):
      try literal("null")
      return JSONSlot(kind: .null, start: start, count: 4, hasEscapes: false)
    case Byte.minus, Byte.zero...UInt8(ascii: "9"):
      let number = try number()
      return JSONSlot(
        kind: number.isWhole ? .wholeNumber : .number, start: start, count: number.count,
        hasEscapes: false)
    default:
      throw wrong("a JSON value")
    }
  }

  func checkDepth(_ depth: Int) throws(JSONStop) {
    guard depth < ImportLimits.jsonDepthMax else {
      throw .invalid(at: offset, "values nest deeper than \(ImportLimits.jsonDepthMax)")
    }
  }

  private mutating func skipObject(depth: Int) throws(JSONStop) {
    try members(depth: depth) { (cursor, _) throws(JSONStop) in
      _ = try cursor.value(depth: depth + 1)
    }
  }

  private mutating func skipArray(depth: Int) throws(JSONStop) {
    try elements(depth: depth) { (cursor) throws(JSONStop) in
      _ = try cursor.value(depth: depth + 1)
    }
  }

  /// Steps over an object; `member` must step over the value of the key it is given.
  mutating func members(
    depth: Int, _ member: (inout JSONCursor, JSONText) throws(JSONStop) -> Void
  ) throws(JSONStop) {
    try checkDepth(depth)
    try take(UInt8(ascii: "{"), "an object")
    if try peek("a key or }") == UInt8(ascii: "}") {
      offset += 1
      return
    }
    while true {
      let key = try string("a key in quotes")
      try take(Byte.colon, "a colon behind the key")
      try member(&self, key)
      if try peek("a comma or }") == Byte.comma {
        offset += 1
        continue
      }
      return try take(UInt8(ascii: "}"), "a comma or }")
    }
  }

  /// Steps over an array; `element` must step over one value.
  mutating func elements(
    depth: Int, _ element: (inout JSONCursor) throws(JSONStop) -> Void
  ) throws(JSONStop) {
    try checkDepth(depth)
    try take(UInt8(ascii: "["), "an array")
    if try peek("a value or ]") == UInt8(ascii: "]") {
      offset += 1
      return
    }
    while true {
      try element(&self)
      if try peek("a comma or ]") == Byte.comma {
        offset += 1
        continue
      }
      return try take(UInt8(ascii: "]"), "a comma or ]")
    }
  }
}
