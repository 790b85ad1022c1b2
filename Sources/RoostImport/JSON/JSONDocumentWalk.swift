/// Walks a document from token to token and says where records begin.
///
/// The only memory is the stack of open containers, so a walk can stop after any token.
struct JSONDocumentWalk {
  enum Step {
    /// A token between records; take it and step on.
    case passed
    /// A record stands at the cursor: read it, then call ``didReadRecord()``.
    case record
    case end
  }

  private enum Expectation {
    case value
    /// Behind `[`: a value or the end.
    case firstElement
    /// Behind `{`: a key or the end.
    case firstKey
    case key
    case colon
    /// Behind a value: a comma or the end of the container.
    case afterValue
  }

  private struct Container {
    var isObject: Bool
    /// Records are its elements.
    var holdsRecords: Bool
    /// How many keys of the current path were pushed when it was opened.
    var pathCount: Int
  }

  private let records: [[String]]
  private var isFound: [Bool]
  private var stack: [Container] = []
  private var path: [String] = []
  private var expectation = Expectation.value
  private(set) var rootKeys: [String] = []

  init(_ records: [FieldPath]) {
    self.records = records.isEmpty ? [[]] : records.map(\.keys)
    isFound = Array(repeating: false, count: self.records.count)
  }

  var missingPaths: [FieldPath] {
    zip(records, isFound).filter { !$0.1 }.map { FieldPath(keys: $0.0) }
  }

  var foundPaths: [FieldPath] {
    zip(records, isFound).filter { $0.1 }.map { FieldPath(keys: $0.0) }
  }

  mutating func didReadRecord() { endValue() }

  mutating func step(_ cursor: inout JSONCursor) throws(JSONStop) -> Step {
    cursor.skipSpace()
    if stack.isEmpty, expectation == .afterValue {
      guard cursor.offset == cursor.bytes.count else {
        throw cursor.wrong("the end of the document; one record a line is --format ndjson")
      }
      return .end
    }
    switch expectation {
    case .value: return try value(&cursor)
    case .firstElement:
      if try cursor.peek("a value or ]") == UInt8(ascii: "]") { return close(&cursor) }
      return try value(&cursor)
    case .firstKey:
      if try cursor.peek("a key or }") == UInt8(ascii: "}") { return close(&cursor) }
      return try key(&cursor)
    case .key: return try key(&cursor)
    case .colon:
      try cursor.take(Byte.colon, "a colon behind the key")
      expectation = .value
      return .passed
    case .afterValue: return try afterValue(&cursor)
    }
  }

  private mutating func value(_ cursor: inout JSONCursor) throws(JSONStop) -> Step {
    let first = try cursor.peek("a JSON value")
    if let container = stack.last, container.holdsRecords { return .record }
    let match = records.firstIndex { $0 == path }
    switch first {
    case UInt8(ascii: "["):
      if let match { isFound[match] = true }
      return try open(&cursor, isObject: false, holdsRecords: match != nil)
    case UInt8(ascii: "{"):
      if let match {
        isFound[match] = true
        return .record
      }
      return try open(&cursor, isObject: true, holdsRecords: false)
    default:
      let found = try cursor.value(depth: stack.count)
      if let match {
        guard found.kind == .null else {
          throw .invalid(
            at: found.start, "records should be an array of objects, not \(found.kindName)")
        }
        isFound[match] = true
      }
      endValue()
      return .passed
    }
  }

  private mutating func open(
    _ cursor: inout JSONCursor, isObject: Bool, holdsRecords: Bool
  ) throws(JSONStop) -> Step {
    try cursor.checkDepth(stack.count)
    cursor.offset += 1
    stack.append(
      Container(isObject: isObject, holdsRecords: holdsRecords, pathCount: path.count))
    expectation = isObject ? .firstKey : .firstElement
    return .passed
  }

  private mutating func close(_ cursor: inout JSONCursor) -> Step {
    cursor.offset += 1
    stack.removeLast()
    endValue()
    return .passed
  }

  /// The key of the value that ended leaves the path.
  private mutating func endValue() {
    if let container = stack.last {
      path.removeLast(path.count - container.pathCount)
    }
    expectation = .afterValue
  }

  private mutating func key(_ cursor: inout JSONCursor) throws(JSONStop) -> Step {
    let text = try cursor.string("a key in quotes")
    let name = JSONDocument.text(text, in: cursor.bytes)
    if stack.count == 1, rootKeys.count < ImportLimits.namesInMessage { rootKeys.append(name) }
    path.append(name)
    expectation = .colon
    return .passed
  }

  private mutating func afterValue(_ cursor: inout JSONCursor) throws(JSONStop) -> Step {
    let isObject = stack.last?.isObject == true
    let byte = try cursor.peek(isObject ? "a comma or }" : "a comma or ]")
    if byte == Byte.comma {
      cursor.offset += 1
      expectation = isObject ? .key : .value
      return .passed
    }
    guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
      throw cursor.wrong(isObject ? "a comma or }" : "a comma or ]")
    }
    return close(&cursor)
  }
}
