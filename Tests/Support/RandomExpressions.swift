package import RoostModel

/// Writes random queries that are right in type, over any schema.
package struct RandomExpressions {
  package let schema: StoreSchema
  package var values: RandomValues
  /// Entities in scope, the innermost last.
  private var scopes: [EntityID] = []

  package init(schema: StoreSchema, random: SplitMix64) {
    self.schema = schema
    values = RandomValues(random: random)
  }

  private var random: SplitMix64 {
    get { values.random }
    set { values.random = newValue }
  }

  // MARK: Queries

  package mutating func query(of entity: EntityID, depth: Int = 4) -> Query {
    var query = Query(entity: entity)
    query.predicate = condition(of: entity, depth: depth)
    for _ in 0..<random.below(3) {
      let type = random.pick(Self.orderedTypes)
      let key = within(entity) { $0.value(type, depth: 2) }
      query.sort.append(SortKey(key, isDescending: random.chance(50)))
    }
    if random.chance(30) { query.limit = random.below(12) }
    if random.chance(20) { query.offset = random.below(5) }
    query.selection = selection(of: entity)
    return query
  }

  private mutating func selection(of entity: EntityID) -> Selection {
    switch random.below(4) {
    case 0: return .all
    case 1:
      let columns = schema.entity(entity)?.properties.filter(\.isColumn).map(\.id) ?? []
      return .properties(columns.shuffled(using: &values.random).dropLast(random.below(9)))
    default:
      return .expressions(
        within(entity) { generator in
          (0...generator.random.below(3)).map { _ in
            generator.value(generator.random.pick(AttributeType.allCases), depth: 3)
          }
        })
    }
  }

  package mutating func condition(of entity: EntityID, depth: Int = 4) -> QueryExpression {
    within(entity) { $0.condition(depth: depth) }
  }

  private mutating func within<Result>(
    _ entity: EntityID, _ body: (inout Self) -> Result
  ) -> Result {
    scopes.append(entity)
    defer { scopes.removeLast() }
    return body(&self)
  }

  // MARK: Conditions

  private static let orderedTypes: [AttributeType] = [
    .bool, .int, .uint64, .double, .decimal, .date, .uuid, .data, .text,
  ]

  private mutating func condition(depth: Int) -> QueryExpression {
    if depth <= 0 { return comparison(depth: 0) }
    switch random.below(14) {
    case 0: return .and(conditions(depth: depth - 1))
    case 1: return .or(conditions(depth: depth - 1))
    case 2: return .not(condition(depth: depth - 1))
    case 3: return isIn(depth: depth - 1)
    case 4: return .isNil(value(random.pick(AttributeType.allCases), depth: depth - 1))
    case 5, 6: return textTest(depth: depth - 1)
    case 7, 8: return toMany(depth: depth - 1)
    case 9: return value(.bool, depth: depth - 1)
    case 10: return reference()
    default: return comparison(depth: depth - 1)
    }
  }

  private mutating func conditions(depth: Int) -> [QueryExpression] {
    let count = random.chance(10) ? random.below(2) : 2 + random.below(2)
    return (0..<count).map { _ in condition(depth: depth) }
  }

  private mutating func comparison(depth: Int) -> QueryExpression {
    let operation = random.pick(ComparisonOperator.allCases)
    if random.chance(8) {
      let type = random.pick(AttributeType.allCases)
      return .compare(random.pick([.equal, .notEqual]), value(type, depth: depth), .literal(.null))
    }
    if random.chance(15) {
      return .compare(operation, value(.int, depth: depth), value(.double, depth: depth))
    }
    if random.chance(5) {
      let pair = (value(.json, depth: 0), value(.json, depth: 0))
      return .compare(random.pick([.equal, .notEqual]), pair.0, pair.1)
    }
    let type = random.pick(Self.orderedTypes)
    return .compare(operation, value(type, depth: depth), value(type, depth: depth))
  }

  private mutating func isIn(depth: Int) -> QueryExpression {
    let type = random.pick(Self.orderedTypes)
    // With a literal on the left the list would have nothing to take its type from.
    let operand = path(to: .attribute(type)).map { QueryExpression.path($0) }
    let items = (0..<random.below(4)).map { _ in values.value(type) }
    return .isIn(operand ?? .literal(.null), operand == nil ? [] : items)
  }

  private mutating func textTest(depth: Int) -> QueryExpression {
    .textTest(
      random.pick(TextOperator.allCases), value(.text, depth: depth), value(.text, depth: depth),
      folded: random.chance(50))
  }

  private mutating func toMany(depth: Int) -> QueryExpression {
    guard let (path, destination) = toManyPath() else { return comparison(depth: depth) }
    let inner = within(destination) { $0.condition(depth: min(depth, 2)) }
    let predicate = random.chance(20) ? .and([]) : inner
    return .toMany(random.pick(Quantifier.allCases), path, predicate)
  }

  private mutating func reference() -> QueryExpression {
    let operation: ComparisonOperator = random.pick([.equal, .notEqual])
    guard let entity = schema.entities.randomElement(using: &values.random)?.id,
      let path = path(to: .reference(entity))
    else { return comparison(depth: 0) }
    switch random.below(3) {
    case 0: return .isNil(.path(path))
    case 1:
      let row = RowReference(entity: entity, row: Int64(random.below(12)))
      return .compare(operation, .path(path), .literal(.reference(row)))
    default:
      guard let other = self.path(to: .reference(entity)) else { return .isNil(.path(path)) }
      return .compare(operation, .path(path), .path(other))
    }
  }
}

extension RandomExpressions {
  private mutating func value(_ type: AttributeType, depth: Int) -> QueryExpression {
    if depth <= 0 || random.chance(35) { return leaf(type) }
    switch random.below(8) {
    case 0: return .coalesce(value(type, depth: depth - 1), value(type, depth: depth - 1))
    case 1:
      return .conditional(
        condition(depth: depth - 1), then: value(type, depth: depth - 1),
        else: value(type, depth: depth - 1))
    case 2, 3, 4: return calculation(type, depth: depth - 1)
    case 5: return cast(type, depth: depth - 1)
    default: return leaf(type)
    }
  }

  private mutating func leaf(_ type: AttributeType) -> QueryExpression {
    if random.chance(65), let path = path(to: .attribute(type)) { return .path(path) }
    // A UInt64 or JSON literal is one only beside something that says so.
    let isOwnType = type != .uint64 && type != .json
    if isOwnType { return .literal(values.value(type, nullPercent: 10)) }
    return leafPath(type)
  }

  private mutating func calculation(_ type: AttributeType, depth: Int) -> QueryExpression {
    let operation = random.pick(ArithmeticOperator.allCases)
    switch type {
    case .int:
      switch random.below(5) {
      case 0: return .function(.length, [value(.text, depth: depth)])
      case 1: return .function(random.pick([.absolute, .negate]), [value(.int, depth: depth)])
      case 2: return count(depth: depth)
      default: return .arithmetic(operation, value(.int, depth: depth), value(.int, depth: depth))
      }
    case .uint64:
      return .arithmetic(operation, value(.uint64, depth: depth), value(.uint64, depth: depth))
    case .double:
      let other: AttributeType = random.chance(40) ? .int : .double
      if random.chance(20) { return .arithmetic(.subtract, leafPath(.date), leafPath(.date)) }
      return .arithmetic(operation, value(.double, depth: depth), value(other, depth: depth))
    case .decimal:
      let operation: ArithmeticOperator = random.pick([.add, .subtract, .multiply, .divide])
      return .arithmetic(operation, value(.decimal, depth: depth), value(.decimal, depth: depth))
    case .date:
      let operation: ArithmeticOperator = random.pick([.add, .subtract])
      return .arithmetic(operation, leafPath(.date), value(.double, depth: depth))
    case .text:
      let function: QueryFunction = random.pick([.fold, .lowercased, .uppercased])
      return .function(function, [value(.text, depth: depth)])
    case .bool: return condition(depth: depth)
    case .uuid, .data, .json: return leaf(type)
    }
  }

  private mutating func leafPath(_ type: AttributeType) -> QueryExpression {
    path(to: .attribute(type)).map { .path($0) } ?? .cast(.literal(.null), to: type)
  }

  private mutating func count(depth: Int) -> QueryExpression {
    guard let (path, destination) = toManyPath() else { return leaf(.int) }
    if random.chance(50) { return .count(path, nil) }
    return .count(path, within(destination) { $0.condition(depth: min(depth, 2)) })
  }

  private mutating func cast(_ type: AttributeType, depth: Int) -> QueryExpression {
    let sources = AttributeType.allCases.filter {
      $0 != type && $0 != .json && ValueCast.isPossible(from: $0, to: type)
    }
    if sources.isEmpty { return leaf(type) }
    return .cast(value(random.pick(sources), depth: depth), to: type)
  }

  // MARK: Paths

  private mutating func path(to type: ExpressionType) -> PropertyPath? {
    let scope = random.chance(75) ? 0 : random.below(scopes.count)
    let root = scopes[scopes.count - 1 - scope]
    var candidates: [[PropertyID]] = []
    collect(type, from: root, prefix: [], steps: 2, into: &candidates)
    guard let properties = candidates.randomElement(using: &values.random) else { return nil }
    return PropertyPath(scope: UInt8(scope), properties)
  }

  private func collect(
    _ type: ExpressionType, from entity: EntityID, prefix: [PropertyID], steps: Int,
    into candidates: inout [[PropertyID]]
  ) {
    guard let schema = schema.entity(entity) else { return }
    if type == .reference(entity), prefix.isEmpty { candidates.append([]) }
    if type == .attribute(.int) { candidates.append(prefix + [0]) }
    for property in schema.properties {
      let path = prefix + [property.id]
      if let attribute = property.attributeType, type == .attribute(attribute) {
        candidates.append(path)
      }
      guard property.isColumn, let destination = self.schema.destination(of: property) else {
        continue
      }
      if type == .reference(destination.id) { candidates.append(path) }
      if steps > 0 {
        collect(type, from: destination.id, prefix: path, steps: steps - 1, into: &candidates)
      }
    }
  }

  private mutating func toManyPath() -> (PropertyPath, EntityID)? {
    let scope = random.chance(75) ? 0 : random.below(scopes.count)
    let root = scopes[scopes.count - 1 - scope]
    var candidates: [([PropertyID], EntityID)] = []
    collectToMany(from: root, prefix: [], steps: 1, into: &candidates)
    guard let (properties, entity) = candidates.randomElement(using: &values.random) else {
      return nil
    }
    return (PropertyPath(scope: UInt8(scope), properties), entity)
  }

  private func collectToMany(
    from entity: EntityID, prefix: [PropertyID], steps: Int,
    into candidates: inout [([PropertyID], EntityID)]
  ) {
    for property in schema.entity(entity)?.properties ?? [] {
      guard let destination = schema.destination(of: property) else { continue }
      let path = prefix + [property.id]
      if property.isColumn, steps > 0 {
        collectToMany(from: destination.id, prefix: path, steps: steps - 1, into: &candidates)
      } else if !property.isColumn {
        candidates.append((path, destination.id))
      }
    }
  }
}
