import Foundation

/// Names one row of one store; the legal currency between actors and processes.
///
/// It stays equal when encoded and decoded again. A temporary identifier, which an instance has
/// until its first save, means something within this process only.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Sendable {
  /// What the identifier is made of, without its meaning.
  public struct ID: Hashable, Sendable {
    let entityName: String
    let row: Int64
    let storeIdentifier: String?
  }

  /// The identifier as a plain value.
  public let id: ID

  /// The entity the row belongs to.
  public var entityName: String { id.entityName }
  /// The store the row is in; nil while the identifier is temporary.
  public var storeIdentifier: String? { id.storeIdentifier }
  /// The row's primary key; negative while the identifier is temporary.
  package var row: Int64 { id.row }

  package init(entityName: String, row: Int64, storeIdentifier: String?) {
    id = ID(entityName: entityName, row: row, storeIdentifier: storeIdentifier)
  }

  /// Names a row by its store, entity and primary key.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` unless the key is an integer or its text.
  public static func identifier<T>(
    for storeIdentifier: String, entityName: String, primaryKey: T
  ) throws -> PersistentIdentifier
  where T: Comparable & CustomStringConvertible & Codable & Hashable {
    let text = primaryKey.description
    guard let row = Int64(text.hasPrefix("p") ? String(text.dropFirst()) : text), row > 0 else {
      throw SwiftDataError.unknownSchema.because("'\(text)' is no primary key of this store")
    }
    return PersistentIdentifier(entityName: entityName, row: row, storeIdentifier: storeIdentifier)
  }

  /// By store, entity and row.
  public static func < (lhs: PersistentIdentifier, rhs: PersistentIdentifier) -> Bool {
    let left = (lhs.storeIdentifier ?? "", lhs.entityName)
    let right = (rhs.storeIdentifier ?? "", rhs.entityName)
    return left == right ? lhs.row < rhs.row : left < right
  }
}

extension PersistentIdentifier: Codable {
  private enum CodingKeys: String, CodingKey {
    case entity, store, row, process
  }

  /// Tells the temporary identifiers of this process from those of another.
  private static let process = UUID()

  /// Reads an identifier that was encoded.
  ///
  /// - Throws: `DecodingError` for a temporary identifier of another process.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let row = try container.decode(Int64.self, forKey: .row)
    let process = try container.decodeIfPresent(UUID.self, forKey: .process)
    if let process, process != Self.process {
      throw DecodingError.dataCorruptedError(
        forKey: .process, in: container,
        debugDescription: "a temporary identifier is known only to the process that made it")
    }
    self.init(
      entityName: try container.decode(String.self, forKey: .entity), row: row,
      storeIdentifier: try container.decodeIfPresent(String.self, forKey: .store))
  }

  /// Writes store, entity and primary key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(entityName, forKey: .entity)
    try container.encodeIfPresent(storeIdentifier, forKey: .store)
    try container.encode(row, forKey: .row)
    if row < 0 { try container.encode(Self.process, forKey: .process) }
  }
}

extension PersistentIdentifier: CustomStringConvertible {
  /// `Flight/p7`, or `Flight/t7` while temporary.
  public var description: String { "\(entityName)/\(row < 0 ? "t" : "p")\(row.magnitude)" }
}
