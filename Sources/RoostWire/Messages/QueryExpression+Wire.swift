package import RoostModel

/// First item of an expression's list (`Protocol/SPEC.md`, "Expressions").
enum ExpressionTag: UInt8, CaseIterable {
  /// `[0, scope, id…]`
  case path = 0
  /// `[1, value]`
  case literal = 1
  /// `[2, operator, left, right]`
  case compare = 2
  /// `[3, expression…]`
  case and = 3
  /// `[4, expression…]`
  case or = 4
  /// `[5, expression]`
  case not = 5
  /// `[6, expression, value…]`
  case isIn = 6
  /// `[7, expression]`
  case isNil = 7
  /// `[8, expression, otherwise]`
  case coalesce = 8
  /// `[9, condition, then, else]`
  case conditional = 9
  /// `[10, operator, left, right]`
  case arithmetic = 10
  /// `[11, operator, text, part, folded]`
  case textTest = 11
  /// `[12, function, argument…]`
  case function = 12
  /// `[13, expression, type]`
  case cast = 13
  /// `[14, quantifier, path, predicate]`
  case toMany = 14
  /// `[15, path]` or `[15, path, filter]`
  case count = 15
}

extension QueryExpression {
  /// Appends the tree.
  ///
  /// - Throws: ``MessageError`` with `expressionTooLarge` when no server would take it.
  package func encode(into writer: inout PackedWriter) throws(MessageError) {
    var encoder = ExpressionEncoder(writer: writer)
    writer = PackedWriter()
    defer { writer = encoder.writer }
    try encoder.write(self, depth: 0)
  }

  /// Reads a tree and stops at the first node that is one too many or too deep.
  package init(from reader: inout PackedReader) throws(MessageError) {
    var decoder = ExpressionDecoder(reader: reader)
    self = try decoder.expression(depth: 0)
    reader = decoder.reader
  }
}

/// Counts nodes and depth while writing, so that a tree of any depth is refused, not recursed into.
private struct ExpressionEncoder {
  var writer: PackedWriter
  var nodes = 0

  mutating func write(_ expression: QueryExpression, depth: Int) throws(MessageError) {
    nodes += 1
    try checkExpression(nodes: nodes, depth: depth)
    let below = depth + 1
    switch expression {
    case .path(let path): write(path)
    case .literal(let value):
      begin(.literal, 1)
      writer.value(value)
    case .compare(let comparison, let left, let right):
      try write(.compare, comparison.rawValue, [left, right], below)
    case .and(let parts): try write(.and, nil, parts, below)
    case .or(let parts): try write(.or, nil, parts, below)
    case .not(let part): try write(.not, nil, [part], below)
    case .isIn(let part, let values):
      guard values.count <= Limits.listValuesMax else {
        throw MessageError(.expressionTooLarge, "more than \(Limits.listValuesMax) values")
      }
      begin(.isIn, 1 + values.count)
      try write(part, depth: below)
      for value in values { writer.value(value) }
    case .isNil(let part): try write(.isNil, nil, [part], below)
    case .coalesce(let left, let right): try write(.coalesce, nil, [left, right], below)
    case .conditional(let test, let then, let otherwise):
      try write(.conditional, nil, [test, then, otherwise], below)
    case .arithmetic(let operation, let left, let right):
      try write(.arithmetic, operation.rawValue, [left, right], below)
    case .textTest(let test, let text, let part, let isFolded):
      try write(.textTest, test.rawValue, [text, part], below, extra: 1)
      writer.bool(isFolded)
    case .function(let function, let arguments):
      try write(.function, function.rawValue, arguments, below)
    case .cast(let part, let type):
      try write(.cast, nil, [part], below, extra: 1)
      writer.int(Int64(type.rawValue))
    case .toMany(let quantifier, let path, let predicate):
      begin(.toMany, 3)
      writer.int(Int64(quantifier.rawValue))
      write(path)
      try write(predicate, depth: below)
    case .count(let path, let filter):
      begin(.count, filter == nil ? 1 : 2)
      write(path)
      if let filter { try write(filter, depth: below) }
    }
  }

  private mutating func begin(_ tag: ExpressionTag, _ itemCount: Int) {
    writer.list(count: 1 + itemCount)
    writer.int(Int64(tag.rawValue))
  }

  private mutating func write(
    _ tag: ExpressionTag, _ kind: UInt8?, _ parts: [QueryExpression], _ depth: Int,
    extra: Int = 0
  ) throws(MessageError) {
    begin(tag, parts.count + extra + (kind == nil ? 0 : 1))
    if let kind { writer.int(Int64(kind)) }
    for part in parts { try write(part, depth: depth) }
  }

  private mutating func write(_ path: PropertyPath) {
    begin(.path, 1 + path.properties.count)
    writer.int(Int64(path.scope))
    for property in path.properties { writer.id(property) }
  }
}

private func checkExpression(nodes: Int, depth: Int) throws(MessageError) {
  guard depth < Limits.expressionDepthMax else {
    throw MessageError(
      .expressionTooLarge, "an expression is deeper than \(Limits.expressionDepthMax)")
  }
  guard nodes <= Limits.expressionNodesMax else {
    throw MessageError(
      .expressionTooLarge, "an expression has more than \(Limits.expressionNodesMax) nodes")
  }
}

private struct ExpressionDecoder {
  var reader: PackedReader
  var nodes = 0

  mutating func expression(depth: Int) throws(MessageError) -> QueryExpression {
    nodes += 1
    try checkExpression(nodes: nodes, depth: depth)
    let count = try reader.enterList("an expression")
    guard count > 0 else { throw MessageError(.badValue, "an expression is empty") }
    let number = try packed { reader throws(PackedError) in try reader.number(UInt8.self) }
    guard let tag = ExpressionTag(rawValue: number) else {
      throw MessageError(.unsupportedExpression, "expression \(number) is unknown")
    }
    return try expression(tag, items: count - 1, depth: depth + 1)
  }

  private mutating func expression(
    _ tag: ExpressionTag, items: Int, depth: Int
  ) throws(MessageError) -> QueryExpression {
    switch tag {
    case .path: return .path(try pathRest(items: items))
    case .literal:
      try expect(items, 1, tag)
      return .literal(try value())
    case .compare:
      try expect(items, 3, tag)
      let comparison = try kind(ComparisonOperator.self)
      return .compare(comparison, try expression(depth: depth), try expression(depth: depth))
    case .and: return .and(try expressions(items, depth))
    case .or: return .or(try expressions(items, depth))
    case .not:
      try expect(items, 1, tag)
      return .not(try expression(depth: depth))
    case .isIn: return try isIn(items: items, depth: depth)
    case .isNil:
      try expect(items, 1, tag)
      return .isNil(try expression(depth: depth))
    case .coalesce:
      try expect(items, 2, tag)
      return .coalesce(try expression(depth: depth), try expression(depth: depth))
    case .conditional:
      try expect(items, 3, tag)
      return .conditional(
        try expression(depth: depth), then: try expression(depth: depth),
        else: try expression(depth: depth))
    case .arithmetic, .textTest, .function, .cast:
      return try computed(tag, items: items, depth: depth)
    case .toMany:
      try expect(items, 3, tag)
      let quantifier = try kind(Quantifier.self)
      return .toMany(quantifier, try path(), try expression(depth: depth))
    case .count:
      guard items == 1 || items == 2 else { throw wrong(items, tag) }
      return .count(try path(), items == 2 ? try expression(depth: depth) : nil)
    }
  }

  private mutating func computed(
    _ tag: ExpressionTag, items: Int, depth: Int
  ) throws(MessageError) -> QueryExpression {
    switch tag {
    case .arithmetic:
      try expect(items, 3, tag)
      let operation = try kind(ArithmeticOperator.self)
      return .arithmetic(operation, try expression(depth: depth), try expression(depth: depth))
    case .textTest:
      try expect(items, 4, tag)
      let test = try kind(TextOperator.self)
      let text = try expression(depth: depth)
      let part = try expression(depth: depth)
      let isFolded = try packed { reader throws(PackedError) in try reader.boolValue() }
      return .textTest(test, text, part, folded: isFolded)
    case .function:
      guard items >= 1 else { throw wrong(items, tag) }
      let function = try kind(QueryFunction.self)
      return .function(function, try expressions(items - 1, depth))
    default:
      try expect(items, 2, tag)
      let part = try expression(depth: depth)
      return .cast(part, to: try kind(AttributeType.self))
    }
  }

  private mutating func isIn(items: Int, depth: Int) throws(MessageError) -> QueryExpression {
    guard items >= 1 else { throw wrong(items, .isIn) }
    guard items - 1 <= Limits.listValuesMax else {
      throw MessageError(.expressionTooLarge, "more than \(Limits.listValuesMax) values")
    }
    let part = try expression(depth: depth)
    var values: [Value] = []
    for _ in 1..<items { values.append(try value()) }
    return .isIn(part, values)
  }

  private mutating func expressions(
    _ count: Int, _ depth: Int
  ) throws(MessageError) -> [QueryExpression] {
    // A node takes at least four bytes, but the limit on nodes bounds this anyway.
    var parts: [QueryExpression] = []
    for _ in 0..<count { parts.append(try expression(depth: depth)) }
    return parts
  }

  private mutating func path() throws(MessageError) -> PropertyPath {
    let count = try reader.enterList("a path")
    guard count > 0 else { throw MessageError(.badValue, "a path is empty") }
    let tag = try packed { reader throws(PackedError) in try reader.number(UInt8.self) }
    guard tag == ExpressionTag.path.rawValue else {
      throw MessageError(.badValue, "a path does not start with 0")
    }
    return try pathRest(items: count - 1)
  }

  private mutating func pathRest(items: Int) throws(MessageError) -> PropertyPath {
    guard items >= 1, items <= 1 + WireLimits.pathPropertiesMax else {
      throw wrong(items, .path)
    }
    let scope = try packed { reader throws(PackedError) in try reader.number(UInt8.self) }
    var properties: [PropertyID] = []
    for _ in 1..<items {
      properties.append(
        try packed { reader throws(PackedError) in try reader.number(PropertyID.self) })
    }
    return PropertyPath(scope: scope, properties)
  }

  private mutating func value() throws(MessageError) -> Value {
    try packed { reader throws(PackedError) in try reader.value() }
  }

  private mutating func kind<Kind: RawRepresentable>(
    _ type: Kind.Type
  ) throws(MessageError) -> Kind where Kind.RawValue == UInt8 {
    let number = try packed { reader throws(PackedError) in try reader.number(UInt8.self) }
    guard let kind = Kind(rawValue: number) else {
      throw MessageError(.unsupportedExpression, "\(Kind.self) \(number) is unknown")
    }
    return kind
  }

  private mutating func packed<Item>(
    _ read: (inout PackedReader) throws(PackedError) -> Item
  ) throws(MessageError) -> Item {
    do throws(PackedError) { return try read(&reader) } catch { throw MessageError(error) }
  }

  private func expect(
    _ items: Int, _ expected: Int, _ tag: ExpressionTag
  ) throws(MessageError) {
    if items != expected { throw wrong(items, tag) }
  }

  private func wrong(_ items: Int, _ tag: ExpressionTag) -> MessageError {
    MessageError(.badValue, "expression \(tag.rawValue) with \(items) parts")
  }
}
