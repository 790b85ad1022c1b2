/// Picks records out of a JSON document, or out of one document a line, as the bytes come.
///
/// Records are the elements of the arrays at the given paths (the root for none), or the object
/// at a path itself. What lies between them is checked token by token and kept nowhere, so memory
/// is bounded by one record: ``ImportLimits/recordBytesMax``.
/// The current record's values hold until the next call of ``next()`` or ``append(_:)``.
package final class JSONRecordReader {
  package enum Layout: Hashable, Sendable {
    /// One document; records at these paths, at the root if there are none.
    case document(records: [FieldPath])
    /// One record a line.
    case lines
  }

  private let layout: Layout
  private let tree: FieldTree
  private let listsKeys: Bool
  private var input = InputBuffer()
  private var walk: JSONDocumentWalk
  private var isBeginning = true

  package private(set) var slots: [JSONSlot]
  /// Members of the record itself that no path names; filled only when asked for.
  package private(set) var others: [(key: String, value: JSONSlot)] = []
  package private(set) var line = 1

  /// - Parameters:
  ///   - layout: Where records lie.
  ///   - fields: Values to find in each record; they come in ``slots`` in this order.
  ///   - listsKeys: Whether ``others`` is filled, which costs time.
  package init(_ layout: Layout, fields: [FieldPath], listsKeys: Bool = false) {
    self.layout = layout
    self.listsKeys = listsKeys
    tree = FieldTree(fields)
    slots = Array(repeating: .absent, count: fields.count)
    if case .document(let records) = layout {
      walk = JSONDocumentWalk(records)
    } else {
      walk = JSONDocumentWalk([])
    }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws(InputFault) {
    try input.append(bytes)
  }

  /// Says that no bytes follow.
  package func finish() { input.isFinished = true }

  package var byteCount: Int { input.byteCount }

  /// Paths of records that the document did not have, keys of its root that are no such path, and
  /// whether it had none of the paths.
  package var missingRecords: (paths: [FieldPath], found: [String], hasNone: Bool) {
    if layout == .lines { return ([], [], false) }
    let missing = walk.missingPaths
    let unused = walk.rootKeys.filter { key in !walk.foundPaths.contains(FieldPath(keys: [key])) }
    return (missing, unused, walk.foundPaths.isEmpty)
  }

  /// The bytes of one of the current record's values, a string's without its quotes.
  @inline(__always)
  package func bytes(of slot: JSONSlot) -> UnsafeRawBufferPointer {
    input.bytes.part(slot.start, slot.count)
  }

  /// Goes to the next record.
  ///
  /// - Returns: false if more bytes are needed, or at the end after ``finish()``.
  /// - Throws: ``InputFault``; unless it is fatal, the next call goes on behind the bad record.
  package func next() throws(InputFault) -> Bool {
    if isBeginning {
      guard try input.skipByteOrderMark() else { return false }
      isBeginning = false
    }
    others.removeAll(keepingCapacity: true)
    if layout == .lines { return try nextLine() }
    return try nextInDocument()
  }

  // MARK: One record a line

  private func nextLine() throws(InputFault) -> Bool {
    while let range = try input.nextLine() {
      line = input.line
      var cursor = JSONCursor(
        input.bytes.part(0, range.upperBound), offset: range.lowerBound)
      cursor.skipSpace()
      if cursor.offset == range.upperBound {
        input.take(to: range.upperBound)
        continue
      }
      defer { input.take(to: range.upperBound) }
      do throws(JSONStop) {
        try record(&cursor)
        cursor.skipSpace()
        guard cursor.offset == range.upperBound else {
          throw cursor.wrong("the end of the line: one record a line")
        }
      } catch {
        throw fault(error, isFatal: false, line: line)
      }
      return true
    }
    return false
  }

  // MARK: One document

  private func nextInDocument() throws(InputFault) -> Bool {
    while true {
      var cursor = JSONCursor(input.bytes, offset: input.start, isFinal: input.isFinished)
      var wrongKind: InputFault?
      do throws(JSONStop) {
        let step = try walk.step(&cursor)
        // What was passed is taken for good: a record's line is that of its own first byte.
        input.take(to: cursor.offset)
        switch step {
        case .passed: continue
        case .end: return false
        case .record: wrongKind = try readRecord(&cursor)
        }
      } catch .needsMore {
        return try waitForMore()
      } catch {
        throw fault(error, isFatal: true)
      }
      if let wrongKind { throw wrongKind }
      return true
    }
  }

  /// The record at the cursor; a value that is no object is a fault of its own.
  private func readRecord(_ cursor: inout JSONCursor) throws(JSONStop) -> InputFault? {
    line = input.line
    var wrongKind: InputFault?
    if try cursor.peek("a record") == UInt8(ascii: "{") {
      try record(&cursor)
    } else {
      let found = try cursor.value(depth: 1).kindName
      wrongKind = InputFault(line: line, reason: "the record is \(found), not an object")
    }
    walk.didReadRecord()
    input.take(to: cursor.offset)
    return wrongKind
  }

  private func waitForMore() throws(InputFault) -> Bool {
    if input.pendingCount > ImportLimits.recordBytesMax { throw input.tooLong() }
    return false
  }

  private func fault(_ stop: JSONStop, isFatal: Bool, line: Int? = nil) -> InputFault {
    var at = input.start
    var reason = "it ends early"
    if case .invalid(let offset, let text) = stop { (at, reason) = (offset, text) }
    let end = min(max(at, input.start), input.end)
    let between = input.bytes.part(input.start, end - input.start).lineFeeds()
    return InputFault(
      line: line ?? input.line + between, reason: "not JSON: \(reason)", isFatal: isFatal)
  }

  // MARK: One record

  private func record(_ cursor: inout JSONCursor) throws(JSONStop) {
    for index in slots.indices { slots[index] = .absent }
    guard try cursor.peek("an object") == UInt8(ascii: "{") else {
      throw cursor.wrong("an object: one record")
    }
    try object(&cursor, node: 0, depth: 1)
  }

  private func object(
    _ cursor: inout JSONCursor, node: Int, depth: Int
  ) throws(JSONStop) {
    try cursor.members(depth: depth) { (cursor, key) throws(JSONStop) in
      guard let child = tree.child(of: node, key, in: cursor.bytes) else {
        let other = try cursor.value(depth: depth + 1)
        if listsKeys, node == 0 {
          others.append((JSONDocument.text(key, in: cursor.bytes), other))
        }
        return
      }
      try value(&cursor, node: child, depth: depth + 1)
    }
  }

  private func value(_ cursor: inout JSONCursor, node: Int, depth: Int) throws(JSONStop) {
    let start = try startOfValue(&cursor)
    if !tree.nodes[node].children.isEmpty, cursor.bytes[start] == UInt8(ascii: "{") {
      try object(&cursor, node: node, depth: depth)
      guard let slot = tree.nodes[node].slot else { return }
      slots[slot] = JSONSlot(
        kind: .object, start: start, count: cursor.offset - start, hasEscapes: false)
    } else {
      let found = try cursor.value(depth: depth)
      if let slot = tree.nodes[node].slot { slots[slot] = found }
    }
  }

  private func startOfValue(_ cursor: inout JSONCursor) throws(JSONStop) -> Int {
    _ = try cursor.peek("a JSON value")
    return cursor.offset
  }
}
