/// What a model instance keeps: its record, and the group of unregistered ones it is linked with.
public struct ModelStorage {
  @usableFromInline var record: ModelRecord?
  /// Keeps linked instances alive until they are inserted; see ``ObjectGraph``.
  @usableFromInline var island: ObjectGraph?

  /// A storage without values; the record is made by the first write.
  @inlinable public init() {}

  /// A storage over a record that exists.
  @inlinable public init(_ record: ModelRecord) { self.record = record }

  @usableFromInline
  mutating func makeRecord(_ description: ModelDescription) -> ModelRecord {
    if let record { return record }
    let record = ModelRecord(description)
    self.record = record
    return record
  }
}

/// Stands where the stored property stood, so that initializers may initialize it.
public struct ModelMarker {
  /// A marker; it has no storage.
  @inlinable public init() {}
}
