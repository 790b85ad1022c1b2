import RoostModel
import RoostWire

/// Walks a get's body without making anything of its keys.
struct GetScan {
  enum Key {
    case row(Int64)
    /// The key as it stands in the request: properties and values, which have one form only.
    case unique(UnsafeRawBufferPointer)
  }

  let entity: EntityID
  /// With the row's identifier, which is always given; nil for all.
  let columns: [PropertyID]?

  /// nil when `visit` gave false or the body is broken: whoever reads it in full says how.
  init?(_ body: UnsafeRawBufferPointer, _ visit: (EntityID, Key) -> Bool) {
    var reader = PackedReader(body)
    do {
      guard try reader.byte() == PackedTag.list, try reader.byte() == 3 else { return nil }
      entity = try reader.number(EntityID.self)
      guard try reader.byte() == PackedTag.list else { return nil }
      let count = try reader.count()
      guard count <= Limits.getKeysMax else { return nil }
      for _ in 0..<count {
        guard visit(entity, try GetScan.key(&reader, body)) else { return nil }
      }
      if try reader.peek() == PackedTag.null {
        _ = try reader.byte()
        columns = nil
      } else {
        columns = GetScan.withIdentifier(try reader.propertyIDs())
      }
      try reader.finish()
    } catch {
      return nil
    }
  }

  private static func key(
    _ reader: inout PackedReader, _ body: UnsafeRawBufferPointer
  ) throws -> Key {
    guard try reader.peek() == PackedTag.list else { return .row(try reader.intValue()) }
    let start = reader.offset
    try reader.skip()
    return .unique(UnsafeRawBufferPointer(rebasing: body[start..<reader.offset]))
  }

  static func withIdentifier(_ columns: [PropertyID]) -> [PropertyID] {
    columns.contains(0) ? columns : [0] + columns
  }
}
