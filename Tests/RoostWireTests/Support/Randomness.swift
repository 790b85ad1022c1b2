import FoundationEssentials
import RoostModel

/// A seeded generator (SplitMix64); the seed is in the test's arguments, so a failure names it.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
  mutating func isTrue(oneIn bound: Int = 2) -> Bool { below(bound) == 0 }
}

/// Fixed seeds, and one that is new every day of a run, printed by its test's arguments.
let seeds: [UInt64] = [1, 2, 3, 4, 5, UInt64.random(in: 6...UInt64(UInt32.max))]

extension SeededGenerator {
  mutating func int() -> Int64 {
    let shift = below(64)
    let value = Int64(bitPattern: next() >> UInt64(shift))
    return isTrue() ? value : ~value
  }

  mutating func double() -> Double {
    switch below(6) {
    case 0: .nan
    case 1: -0.0
    case 2: .infinity
    case 3: Double(int())
    default: Double(bitPattern: next() & ~(0x7FF << 52) | UInt64(below(2046)) << 52)
    }
  }

  mutating func text() -> String {
    let alphabet = ["a", "é", "e\u{301}", "東", "🛩", " ", "\"", "\u{0}"]
    return (0..<below(isTrue(oneIn: 8) ? 90 : 8)).map { _ in alphabet[below(8)] }.joined()
  }

  mutating func value(depth: Int = 0) -> Value {
    switch below(depth > 3 ? 10 : 14) {
    case 0: .null
    case 1: .bool(isTrue())
    case 2: .int(int())
    case 3: .double(double())
    case 4: .text(text())
    case 5: .blob((0..<below(40)).map { _ in UInt8(truncatingIfNeeded: next()) })
    case 6: .date(double())
    case 7:
      .uuid(
        withUnsafeBytes(of: (next(), next())) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    case 8: .decimal(isTrue() ? "1.5" : "-12345678901234567890")
    case 9: .reference(RowReference(entity: UInt32(truncatingIfNeeded: next()), row: int()))
    case 10: .list((0..<below(5)).map { _ in value(depth: depth + 1) })
    case 11: map(depth: depth + 1)
    case 12: .result(operation: UInt32(below(10_000)))
    default: key(depth: depth + 1)
    }
  }

  private mutating func map(depth: Int) -> Value {
    var entries: [String: Value] = [:]
    for _ in 0..<below(5) { entries[text()] = value(depth: depth) }
    let sorted = entries.map { MapEntry($0.key, $0.value) }.sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    return .map(sorted)
  }

  private mutating func key(depth: Int) -> Value {
    let count = 1 + below(3)
    return .key(
      KeyReference(
        entity: UInt32(below(100)), constraint: (0..<count).map { _ in UInt32(below(500)) },
        values: (0..<count).map { _ in value(depth: depth) }, createsMissing: isTrue()))
  }

  mutating func path() -> PropertyPath {
    PropertyPath(scope: UInt8(below(3)), (0..<below(4)).map { _ in UInt32(below(300)) })
  }

  mutating func expression(depth: Int = 0) -> QueryExpression {
    if depth > 6 { return isTrue() ? .path(path()) : .literal(value()) }
    let below = depth + 1
    switch self.below(16) {
    case 0: return .literal(value())
    case 1: return .path(path())
    case 2:
      return .compare(pick(), expression(depth: below), expression(depth: below))
    case 3: return .and((0..<self.below(4)).map { _ in expression(depth: below) })
    case 4: return .or((0..<self.below(4)).map { _ in expression(depth: below) })
    case 5: return .not(expression(depth: below))
    case 6: return .isIn(expression(depth: below), (0..<self.below(6)).map { _ in value() })
    case 7: return .isNil(expression(depth: below))
    case 8: return .coalesce(expression(depth: below), expression(depth: below))
    case 9:
      return .conditional(
        expression(depth: below), then: expression(depth: below), else: expression(depth: below))
    case 10:
      return .arithmetic(pick(), expression(depth: below), expression(depth: below))
    case 11:
      return .textTest(
        pick(), expression(depth: below), expression(depth: below), folded: isTrue())
    case 12:
      return .function(
        pick(), (0..<self.below(3)).map { _ in expression(depth: below) })
    case 13: return .cast(expression(depth: below), to: pick())
    case 14: return .toMany(pick(), path(), expression(depth: below))
    default: return .count(path(), isTrue() ? expression(depth: below) : nil)
    }
  }

  mutating func query() -> Query {
    let selection: Selection =
      switch below(3) {
      case 0: .all
      case 1: .properties((0..<below(5)).map { _ in UInt32(below(300)) })
      default: .expressions((0..<below(3)).map { _ in expression(depth: 4) })
      }
    return Query(
      entity: UInt32(below(1_000)), predicate: isTrue() ? expression() : nil,
      sort: (0..<below(3)).map { _ in SortKey(expression(depth: 5), isDescending: isTrue()) },
      limit: isTrue() ? below(1_000_000) : nil, offset: below(300), selection: selection,
      prefetch: (0..<below(3)).map { _ in (0...below(3)).map { _ in UInt32(below(300)) } })
  }

  private mutating func pick<Kind: CaseIterable>() -> Kind {
    let all = Array(Kind.allCases)
    return all[below(all.count)]
  }

  mutating func operation() -> WriteOperation {
    let entity = UInt32(below(100))
    let target: RowTarget = isTrue() ? .row(int()) : .result(operation: UInt32(below(50)))
    let row: Int64? = isTrue() ? int() : nil
    let assignments = (0..<below(5)).map { _ in Assignment(UInt32(1 + below(300)), value()) }
    switch below(6) {
    case 0: return .insert(entity, row: row, assignments)
    case 1: return .update(entity, target, assignments, ifRevision: isTrue() ? next() : nil)
    case 2: return .delete(entity, target, ifRevision: isTrue() ? next() : nil)
    case 3:
      return .upsert(
        entity, row: row, constraint: isTrue() ? [1, UInt32(below(300))] : nil, assignments)
    case 4: return .link(entity, target, UInt32(below(300)), value())
    default: return .unlink(entity, target, UInt32(below(300)), value())
    }
  }

  mutating func schema() -> StoreSchema {
    StoreSchema(
      version: UInt32(below(1_000)),
      entities: (0..<below(4)).map { number in
        EntitySchema(
          id: UInt32(number), name: "E\(number)",
          properties: (0..<below(6)).map { property(UInt32($0)) },
          uniqueConstraints: (0..<below(3)).map { _ in ["p0", "p1"] },
          indexes: (0..<below(3)).map { _ in ["p2"] })
      })
  }

  private mutating func property(_ id: UInt32) -> PropertySchema {
    let kind: PropertySchema.Kind =
      isTrue()
      ? .attribute(pick())
      : .relationship(
        RelationshipSchema(
          destination: "E1", isToMany: isTrue(), inverse: isTrue() ? "p1" : nil,
          deleteRule: pick()))
    return PropertySchema(
      id: id, name: "p\(id)", kind: kind, isOptional: isTrue(),
      defaultValue: isTrue() ? value() : nil, originalName: isTrue() ? "old" : nil)
  }
}
