import Observation
import RoostModel

// Called by generated code; which overload fits is decided by the property's type.
extension PersistentModel {
  /// Reads an attribute with a column type of its own.
  public func _$get<V: StorableValue>(_ slot: Int, _ keyPath: KeyPath<Self, V>) -> V {
    let record = _$record
    record.access(self, slot, keyPath)
    return V(storedValue: record.value(slot)) ?? V.placeholder
  }

  /// Writes an attribute with a column type of its own.
  public func _$set<V: StorableValue>(_ slot: Int, _ keyPath: KeyPath<Self, V>, _ value: V) {
    _$record.set(self, slot, keyPath, value.storedValue)
  }

  /// Reads an enum stored as its raw value.
  @_disfavoredOverload
  public func _$get<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: KeyPath<Self, V>
  ) -> V where V.RawValue: StorableValue {
    let record = _$record
    record.access(self, slot, keyPath)
    return record.enumeration(slot)
  }

  /// Writes an enum stored as its raw value.
  @_disfavoredOverload
  public func _$set<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: KeyPath<Self, V>, _ value: V
  ) where V.RawValue: StorableValue {
    _$record.set(self, slot, keyPath, value.rawValue.storedValue)
  }

  /// Reads an optional enum stored as its raw value; an unknown raw value reads as nil.
  @_disfavoredOverload
  public func _$get<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: KeyPath<Self, V?>
  ) -> V? where V.RawValue: StorableValue {
    let record = _$record
    record.access(self, slot, keyPath)
    return V.RawValue(storedValue: record.value(slot)).flatMap { V(rawValue: $0) }
  }

  /// Writes an optional enum stored as its raw value.
  @_disfavoredOverload
  public func _$set<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: KeyPath<Self, V?>, _ value: V?
  ) where V.RawValue: StorableValue {
    _$record.set(self, slot, keyPath, value?.rawValue.storedValue ?? .null)
  }

  /// Reads a Codable value stored as JSON.
  @_disfavoredOverload
  public func _$get<V: Codable>(_ slot: Int, _ keyPath: KeyPath<Self, V>) -> V {
    let record = _$record
    record.access(self, slot, keyPath)
    return record.codable(slot)
  }

  /// Writes a Codable value stored as JSON.
  @_disfavoredOverload
  public func _$set<V: Codable>(_ slot: Int, _ keyPath: KeyPath<Self, V>, _ value: V) {
    let record = _$record
    record.set(self, slot, keyPath, JSONValue.stored(value))
    record.decoded[slot] = value
  }
}

extension ModelStorage {
  /// Sets an attribute in an initializer.
  public mutating func initialize<V: StorableValue>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) {
    makeRecord(description).put(slot, value.storedValue)
  }

  /// Sets an enum in an initializer.
  @_disfavoredOverload
  public mutating func initialize<V: RawRepresentable & Codable>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) where V.RawValue: StorableValue {
    makeRecord(description).put(slot, value.rawValue.storedValue)
  }

  /// Sets an optional enum in an initializer.
  @_disfavoredOverload
  public mutating func initialize<V: RawRepresentable & Codable>(
    _ description: ModelDescription, _ slot: Int, _ value: V?
  ) where V.RawValue: StorableValue {
    makeRecord(description).put(slot, value?.rawValue.storedValue ?? .null)
  }

  /// Sets a Codable value in an initializer.
  @_disfavoredOverload
  public mutating func initialize<V: Codable>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) {
    makeRecord(description).put(slot, JSONValue.stored(value))
  }

  /// Copies a constant into the record.
  public mutating func storeConstant<V: StorableValue>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) {
    initialize(description, slot, value)
  }

  /// Copies a constant enum into the record.
  @_disfavoredOverload
  public mutating func storeConstant<V: RawRepresentable & Codable>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) where V.RawValue: StorableValue {
    initialize(description, slot, value)
  }

  /// Copies a constant Codable value into the record.
  @_disfavoredOverload
  public mutating func storeConstant<V: Codable>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) {
    initialize(description, slot, value)
  }
}

extension ModelRecord {
  /// Reads a constant's stored value.
  public func constant<V: StorableValue>(_ slot: Int) -> V {
    V(storedValue: value(slot)) ?? V.placeholder
  }

  /// Reads a constant enum's stored value.
  @_disfavoredOverload
  public func constant<V: RawRepresentable & Codable>(_ slot: Int) -> V
  where V.RawValue: StorableValue {
    enumeration(slot)
  }

  /// Reads a constant Codable value.
  @_disfavoredOverload
  public func constant<V: Codable>(_ slot: Int) -> V { codable(slot) }

  func access<Model: PersistentModel, V>(
    _ model: Model, _ slot: Int, _ keyPath: KeyPath<Model, V>
  ) {
    if needsShell { learnShell(model) }
    if let probe { probe.note(self, slot) }
    link?.follow?.follow()
    // A private thread-local says whether anything is tracked; the registrar must exist to ask it.
    let registrar = self.registrar ?? makeRegistrar()
    registrar.access(model, keyPath: keyPath)
  }

  private func makeRegistrar() -> ObservationRegistrar {
    let made = ObservationRegistrar()
    registrar = made
    return made
  }

  /// An equal value is no change.
  func set<Model: PersistentModel, V>(
    _ model: Model, _ slot: Int, _ keyPath: KeyPath<Model, V>, _ new: Value
  ) {
    if needsShell { learnShell(model) }
    if value(slot) == new { return }
    registrar?.willSet(model, keyPath: keyPath)
    put(slot, new)
    decoded[slot] = nil
    graph?.markChanged(self, slot)
    registrar?.didSet(model, keyPath: keyPath)
  }

  func learnShell(_ model: any PersistentModel) {
    needsShell = false
    graph?.learn(model, for: self)
  }

  func enumeration<V: RawRepresentable & Codable>(_ slot: Int) -> V
  where V.RawValue: StorableValue {
    if let raw = V.RawValue(storedValue: value(slot)), let value = V(rawValue: raw) {
      return value
    }
    if let fallback = description.properties[slot].defaultValue,
      let raw = V.RawValue(storedValue: fallback), let value = V(rawValue: raw)
    {
      return value
    }
    guard let value = StandIn.enumeration(V.self) else { unfit(slot) }
    return value
  }

  func codable<V: Codable>(_ slot: Int) -> V {
    if let cached = decoded[slot], let value = cached as? V { return value }
    let value = JSONValue.value(V.self, from: self.value(slot))
    if let value {
      decoded[slot] = value
      return value
    }
    if let fallback = description.properties[slot].defaultValue,
      let value = JSONValue.value(V.self, from: fallback)
    {
      return value
    }
    guard let value = StandIn.value(V.self) else { unfit(slot) }
    return value
  }

  private func unfit(_ slot: Int) -> Never {
    let property = description.properties[slot]
    // Not reached by what is stored: a container refuses such a class, and an instance in no
    // context has the values its initializer set.
    fatalError("\(description.name).\(property.name): \(PropertyDescription.unfit)")
  }
}
