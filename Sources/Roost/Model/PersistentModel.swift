public import Observation

/// A class whose instances live in a store; ``Model()`` writes everything it asks for.
///
/// Two instances are equal when they stand for the same row, whatever their values.
/// An instance belongs to its context's isolation: pass ``persistentModelID`` to others.
public protocol PersistentModel: AnyObject, Observable, Hashable, Identifiable, SendableMetatype {
  /// Makes an instance over a record without running an initializer of the class.
  init(_$record: ModelRecord)
  /// Where the instance's values are.
  var _$storage: ModelStorage { get set }
  /// The class as an entity: its slots, worked out once.
  static var _$description: ModelDescription { get }
  /// One entry for each persisted property, in source order.
  static var schemaMetadata: [Schema.PropertyMetadata] { get }
  /// Copies constants, which have no accessors, into the record.
  func _$storeConstants()
}

extension PersistentModel {
  /// The record behind this instance, made on first use.
  @inlinable
  var _$record: ModelRecord { _$storage.record ?? _$makeRecord() }

  @usableFromInline
  func _$makeRecord() -> ModelRecord {
    let record = ModelRecord(Self._$description)
    _$storage.record = record
    return record
  }

  /// Names this instance's row in every context and process; temporary until the first save.
  public var persistentModelID: PersistentIdentifier { _$record.identifier }

  /// The same as ``persistentModelID``, unless the class has an `id` of its own.
  public var id: PersistentIdentifier { persistentModelID }

  /// The context this instance is registered in; nil before insertion and after deletion.
  public var modelContext: ModelContext? { _$record.graph?.context }

  /// Whether a save would write something for this instance.
  public var hasChanges: Bool { _$record.isPending }

  /// Whether this instance is marked for deletion by the next save.
  public var isDeleted: Bool { _$record.state == .deleted }

  /// Whether both stand for the same row.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs === rhs || lhs._$record === rhs._$record
  }

  /// Hashes the identity, not the values; it does not change when the instance is saved.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(_$record))
  }
}
