import Observation
public import RoostModel

// Called by generated code; which overload fits is decided by the property's type.
extension PersistentModel {
  /// Reads an attribute with a column type of its own.
  @inlinable
  public func _$get<V: StorableValue>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>
  ) -> V {
    let record = _$record
    if record.willRead() { record.noteRead(self, slot, keyPath()) }
    return V._$stored(in: record, slot) ?? V.placeholder
  }

  /// Writes an attribute with a column type of its own.
  @inlinable
  public func _$set<V: StorableValue>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>, _ value: V
  ) {
    let record = _$record
    if record.isNew {
      record.put(slot, value.storedValue)
    } else {
      record.set(self, slot, keyPath(), value.storedValue)
    }
  }

  /// Reads an enum stored as its raw value.
  @_disfavoredOverload
  public func _$get<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>
  ) -> V where V.RawValue: StorableValue {
    let record = _$record
    record.access(self, slot, keyPath())
    return record.enumeration(slot)
  }

  /// Writes an enum stored as its raw value.
  @_disfavoredOverload
  public func _$set<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>, _ value: V
  ) where V.RawValue: StorableValue {
    _$record.set(self, slot, keyPath(), value.rawValue.storedValue)
  }

  /// Reads an optional enum stored as its raw value; an unknown raw value reads as nil.
  @_disfavoredOverload
  public func _$get<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V?>
  ) -> V? where V.RawValue: StorableValue {
    let record = _$record
    record.access(self, slot, keyPath())
    return V.RawValue(storedValue: record.value(slot)).flatMap { V(rawValue: $0) }
  }

  /// Writes an optional enum stored as its raw value.
  @_disfavoredOverload
  public func _$set<V: RawRepresentable & Codable>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V?>, _ value: V?
  ) where V.RawValue: StorableValue {
    _$record.set(self, slot, keyPath(), value?.rawValue.storedValue ?? .null)
  }

  /// Reads a Codable value stored as JSON.
  @_disfavoredOverload
  public func _$get<V: Codable>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>
  ) -> V {
    let record = _$record
    record.access(self, slot, keyPath())
    return record.codable(slot)
  }

  /// Writes a Codable value stored as JSON.
  @_disfavoredOverload
  public func _$set<V: Codable>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>, _ value: V
  ) {
    let record = _$record
    record.set(self, slot, keyPath(), JSONValue.stored(value))
    record.decoded[slot] = value
  }
}

extension ModelStorage {
  /// Sets an attribute in an initializer.
  ///
  /// The nil that an optional begins with is what a record without a value reads as: instances made
  /// by a fetch begin with it, too, and need no record of their own for it.
  @inlinable
  public mutating func initialize<V: StorableValue>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) {
    let value = value.storedValue
    if record == nil, case .null = value { return }
    makeRecord(description).put(slot, value)
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
    guard let value else { return initialize(description, slot, V.RawValue?.none) }
    makeRecord(description).put(slot, value.rawValue.storedValue)
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

  /// Takes in what others committed, and says whether somebody wants to hear of the read.
  @usableFromInline
  func willRead() -> Bool {
    if let follow = link?.follow { follow.follow() }
    if needsShell { return true }
    if let rarities, rarities.probe != nil || rarities.registrar != nil { return true }
    return ObservationProbe.isTracking
  }

  /// Tells those who want to hear of a read.
  @usableFromInline
  func noteRead<Model: PersistentModel, V>(
    _ model: Model, _ slot: Int, _ keyPath: KeyPath<Model, V>
  ) {
    if needsShell { learnShell(model) }
    if let probe { probe.note(self, slot) }
    if registrar == nil, let made = ObservationProbe.takeRegistrar() {
      withRarities().registrar = made
    }
    registrar?.access(model, keyPath: keyPath)
  }

  func access<Model: PersistentModel, V>(
    _ model: Model, _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Model, V>
  ) {
    if willRead() { noteRead(model, slot, keyPath()) }
  }

  /// Whether nobody knows of it yet: what is set then is no change.
  @usableFromInline
  var isNew: Bool {
    state == .loose && link == nil && rarities == nil && !needsShell
  }

  /// An equal value is no change.
  @usableFromInline
  func set<Model: PersistentModel, V>(
    _ model: Model, _ slot: Int, _ keyPath: KeyPath<Model, V>, _ new: Value
  ) {
    if needsShell { learnShell(model) }
    if value(slot) == new { return }
    registrar?.willSet(model, keyPath: keyPath)
    put(slot, new)
    rarities?.decoded[slot] = nil
    graph?.markChanged(self, slot)
    registrar?.didSet(model, keyPath: keyPath)
  }

  // MARK: Values without a detour

  @usableFromInline func storedInteger(_ slot: Int) -> Int64? {
    if values.isEmpty, let found = base?.read(slot, { $0.integer($1) }) { return found }
    if case .int(let value) = value(slot) { return value }
    return nil
  }

  @usableFromInline func storedReal(_ slot: Int) -> Double? {
    if values.isEmpty, let found = base?.read(slot, { $0.real($1) }) { return found }
    return Double(storedValue: value(slot))
  }

  @usableFromInline func storedFlag(_ slot: Int) -> Bool? {
    if values.isEmpty, let found = base?.read(slot, { $0.flag($1) }) { return found }
    return Bool(storedValue: value(slot))
  }

  @usableFromInline func storedText(_ slot: Int) -> String? {
    if values.isEmpty, let found = base?.read(slot, { $0.text($1) }) { return found }
    if case .text(let value) = value(slot) { return value }
    return nil
  }

  @usableFromInline func storesNull(_ slot: Int) -> Bool {
    if values.isEmpty, let found = base?.read(slot, { $0.isNull($1) }) { return found }
    return value(slot).isNull
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
