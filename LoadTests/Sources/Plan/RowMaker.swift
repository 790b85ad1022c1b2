import FoundationEssentials
import RoostModel

/// Makes rows of an entity from numbers: the same row for the same number, and keys that no other
/// run's rows have.
struct RowMaker: Hashable, Sendable {
  /// Which numbers are used for what, so that no two rows have one key.
  enum Kind: UInt64 {
    case data = 0
    case upsert = 1
    case insert = 2
    case imported = 3
  }

  let entity: EntityID
  /// Properties of the first unique constraint.
  let constraint: [PropertyID]
  /// Told apart runs on one store, below 2¹⁵.
  let tag: UInt64
  private let columns: [PropertySchema]
  /// The part of the key that holds the number.
  private let keyProperty: PropertySchema
  private let textBytes: Int
  private let filler: String

  /// Numbers of one kind are below this.
  static let numbersMax: UInt64 = 1 << 40

  /// - Throws: ``LoadError`` for an entity whose rows cannot be made from its schema.
  init(_ entity: EntitySchema, tag: UInt64, textBytes: Int) throws(LoadError) {
    guard let key = entity.uniqueConstraints.first else {
      throw RowMaker.wrong(entity, "it has no unique constraint to find them again by")
    }
    let parts = key.compactMap { entity.property(named: $0) }
    let usable = parts.first { $0.attributeType == .text || $0.attributeType == .int }
    guard parts.count == key.count, let usable else {
      throw RowMaker.wrong(entity, "its key \(Spelling.list(key)) has neither a String nor an Int")
    }
    for property in entity.properties where property.attributeType == nil {
      guard let relationship = property.relationship, !relationship.isToMany,
        !property.isOptional || key.contains(property.name)
      else { continue }
      throw RowMaker.wrong(entity, "\(property.name) must refer to another row")
    }
    self.entity = entity.id
    constraint = parts.map(\.id)
    self.tag = tag & 0x7FFF
    columns = entity.properties.filter { $0.attributeType != nil }
    keyProperty = usable
    self.textBytes = textBytes
    filler = String(repeating: "roost ", count: textBytes / 6 + 1)
  }

  private static func wrong(_ entity: EntitySchema, _ reason: String) -> LoadError {
    LoadError(
      "rows of \(entity.name) cannot be made: \(reason). Leave the entity out: then "
        + "\(DataPlan.ownEntity) is made", .wrongCall)
  }

  /// The properties each made row has, in order.
  var properties: [PropertyID] { columns.map(\.id) }

  /// The values of a row in the order of ``properties``.
  func values(_ kind: Kind, _ number: UInt64, version: UInt64 = 0) -> [Value] {
    var random = RandomSource(seed: number &+ version &* 0x9E37, stream: kind.rawValue)
    return columns.map { column in
      column.id == keyProperty.id ? key(kind, number) : value(of: column, &random)
    }
  }

  func assignments(_ kind: Kind, _ number: UInt64, version: UInt64 = 0) -> [Assignment] {
    zip(columns, values(kind, number, version: version)).map { Assignment($0.id, $1) }
  }

  /// All rows of this run: their keys lie from `low` up to but not including `high`.
  var ownRows: QueryExpression {
    let path = QueryExpression.path(PropertyPath([keyProperty.id]))
    let low: Value
    let high: Value
    if keyProperty.attributeType == .int {
      low = .int(base(.data))
      high = .int(base(.data) + (4 << 40))
    } else {
      low = .text(prefix + "0")
      high = .text(prefix + "4")
    }
    return .and([
      .compare(.greaterOrEqual, path, .literal(low)), .compare(.less, path, .literal(high)),
    ])
  }

  private var prefix: String { "roost-load~" + RowMaker.padded(tag, 5) + "~" }

  private func base(_ kind: Kind) -> Int64 {
    4_000_000_000_000_000_000 + Int64(tag << 43) + Int64(kind.rawValue << 40)
  }

  private func key(_ kind: Kind, _ number: UInt64) -> Value {
    let number = number % RowMaker.numbersMax
    if keyProperty.attributeType == .int { return .int(base(kind) + Int64(number)) }
    return .text(prefix + "\(kind.rawValue)" + RowMaker.padded(number, 13))
  }

  private func value(of column: PropertySchema, _ random: inout RandomSource) -> Value {
    switch column.attributeType {
    case .bool: return .bool(random.next() & 1 == 1)
    case .int, .uint64: return .int(Int64(random.below(1_000_000)))
    case .double: return .double(Double(random.below(1_000_000)) / 8)
    case .decimal: return .decimal("\(random.below(1_000_000))")
    case .date: return .date(Double(700_000_000 + random.below(100_000_000)))
    case .uuid:
      let (a, b) = (random.next(), random.next())
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: a >> ($0 * 8)) }
      let more = (0..<8).map { UInt8(truncatingIfNeeded: b >> ($0 * 8)) }
      return .uuid(
        UUID(
          uuid: (
            bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
            more[0], more[1], more[2], more[3], more[4], more[5], more[6], more[7]
          )))
    case .data: return .blob((0..<min(64, textBytes)).map { _ in UInt8(random.below(256)) })
    case .text:
      let start = filler.index(filler.startIndex, offsetBy: Int(random.below(6)))
      return .text("\(random.below(1_000)) \(filler[start...].prefix(max(0, textBytes - 4)))")
    case .json: return .list([.int(Int64(random.below(1_000)))])
    case nil: return .null
    }
  }

  private static func padded(_ number: UInt64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
