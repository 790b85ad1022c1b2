import Foundation
import RoostModel
import RoostWire

/// JSON as the vectors write it.
enum Meaning: Hashable, Sendable, Decodable {
  case null
  case bool(Bool)
  case int(Int64)
  case text(String)
  case list([Meaning])
  case map([String: Meaning])

  init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    if box.decodeNil() {
      self = .null
    } else if let value = try? box.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? box.decode(Int64.self) {
      self = .int(value)
    } else if let value = try? box.decode(String.self) {
      self = .text(value)
    } else if let value = try? box.decode([Meaning].self) {
      self = .list(value)
    } else {
      self = .map(try box.decode([String: Meaning].self))
    }
  }

  init(json: String) throws {
    self = try JSONDecoder().decode(Meaning.self, from: Data(json.utf8))
  }

  subscript(key: String) -> Meaning? {
    if case .map(let entries) = self { entries[key] } else { nil }
  }

  var string: String? { if case .text(let text) = self { text } else { nil } }
  var number: Int64? { if case .int(let number) = self { number } else { nil } }
  var items: [Meaning] { if case .list(let items) = self { items } else { [] } }

  // MARK: Values

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .map(["double": .text(Meaning.spell(value))])
    case .text(let value): self = .text(value)
    case .blob(let value): self = .map(["blob": .text(value.hex)])
    case .date(let value): self = .map(["date": .text(Meaning.spell(value))])
    case .uuid(let value): self = .map(["uuid": .text(value.uuidString.lowercased())])
    case .decimal(let value): self = .map(["decimal": .text(value)])
    case .list(let values): self = .list(values.map { Meaning($0) })
    case .map(let entries):
      let pairs = entries.map { ($0.key, Meaning($0.value)) }
      self = .map(["map": .map(Dictionary(uniqueKeysWithValues: pairs))])
    case .reference(let value):
      self = .map(["ref": .list([.int(Int64(value.entity)), .int(value.row)])])
    case .result(let operation): self = .map(["result": .int(Int64(operation))])
    case .key(let key):
      self = .map([
        "key": .list([
          .int(Int64(key.entity)), .list(key.constraint.map { .int(Int64($0)) }),
          .list(key.values.map { Meaning($0) }), .bool(key.createsMissing),
        ])
      ])
    }
  }

  /// Python's `repr` of a float, near enough for the vectors.
  private static func spell(_ value: Double) -> String {
    let text = "\(value)"
    return value.isInfinite ? (value > 0 ? "inf" : "-inf") : text
  }

  /// The value that is meant.
  var value: Value {
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .text(let value): return .text(value)
    case .list(let items): return .list(items.map(\.value))
    case .map(let entries):
      guard let (kind, inner) = entries.first else { return .null }
      return inner.value(of: kind)
    }
  }

  private func value(of kind: String) -> Value {
    switch kind {
    case "double": return .double(Double(string ?? "") ?? 0)
    case "date": return .date(Double(string ?? "") ?? 0)
    case "decimal": return .decimal(string ?? "")
    case "blob": return .blob(ProtocolFiles.unhex(string ?? ""))
    case "uuid": return .uuid(UUID(uuidString: string ?? "") ?? UUID())
    case "ref":
      return .reference(
        RowReference(entity: UInt32(items[0].number ?? 0), row: items[1].number ?? 0))
    case "result": return .result(operation: UInt32(number ?? 0))
    case "text":
      return .text(String(repeating: items[0].string ?? "", count: Int(items[1].number ?? 0)))
    case "key":
      return .key(
        KeyReference(
          entity: UInt32(items[0].number ?? 0),
          constraint: items[1].items.map { UInt32($0.number ?? 0) },
          values: items[2].items.map(\.value), createsMissing: items[3] == .bool(true)))
    case "map":
      guard case .map(let entries) = self else { return .null }
      return .map(
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
          .map { MapEntry($0.key, $0.value.value) })
    default: return .null
    }
  }

  // MARK: Bodies

  /// Every value, row batch and link batch of a body.
  static func body(_ buffer: UnsafeRawBufferPointer) throws -> Meaning {
    var reader = PackedReader(buffer)
    var items: [Meaning] = []
    while !reader.isAtEnd {
      switch try reader.peek() {
      case 0x10: items.append(try Meaning(try RowBatch(from: &reader)))
      case LinkBatch.tag: items.append(Meaning(try LinkBatch(from: &reader)))
      default: items.append(Meaning(try reader.value()))
      }
    }
    return .list(items)
  }

  private init(_ batch: RowBatch) throws {
    let rows = try batch.rows().map { row in Meaning.list(row.map { Meaning($0) }) }
    self = .map([
      "batch": .list([
        .int(Int64(batch.entity)), .int(Int64(batch.schemaVersion)),
        .list(batch.columns.map { .int(Int64($0)) }), .list(rows),
      ])
    ])
  }

  private init(_ links: LinkBatch) {
    let owners = links.owners.map { owner in
      Meaning.list([.int(owner.row), .list(owner.related.map(Meaning.int))])
    }
    self = .map([
      "links": .list([.int(Int64(links.entity)), .int(Int64(links.property)), .list(owners)])
    ])
  }
}
