extension PersistentModel {
  /// Reads a to-one relationship that is always there.
  ///
  /// When it is not loaded or was deleted, an empty instance stands in that no context holds.
  public func _$get<V: PersistentModel>(_ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>)
    -> V
  {
    let record = _$record
    record.access(self, slot, keyPath())
    return record.target(slot) ?? V(_$record: ModelRecord(V._$description))
  }

  /// Reads a to-one relationship.
  public func _$get<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V?>
  ) -> V? {
    let record = _$record
    record.access(self, slot, keyPath())
    return record.target(slot)
  }

  /// Reads a to-many relationship, loading it if the context can.
  public func _$get<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, [V]>
  ) -> [V] {
    let record = _$record
    record.access(self, slot, keyPath())
    return record.targets(slot)
  }

  /// Reads a to-many relationship whose property is optional.
  public func _$get<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, [V]?>
  ) -> [V]? {
    let record = _$record
    record.access(self, slot, keyPath())
    return record.targets(slot)
  }

  /// Writes a to-one relationship that is always there.
  public func _$set<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V>, _ value: V
  ) {
    setTarget(slot, value)
  }

  /// Writes a to-one relationship.
  public func _$set<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, V?>, _ value: V?
  ) {
    setTarget(slot, value)
  }

  /// Writes a to-many relationship.
  public func _$set<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, [V]>, _ value: [V]
  ) {
    setTargets(slot, value)
  }

  /// Writes a to-many relationship whose property is optional.
  public func _$set<V: PersistentModel>(
    _ slot: Int, _ keyPath: @autoclosure () -> KeyPath<Self, [V]?>, _ value: [V]?
  ) {
    setTargets(slot, value ?? [])
  }

  private func setTarget(_ slot: Int, _ value: (any PersistentModel)?) {
    var storage = _$storage
    storage.record = _$record
    if storage.record?.needsShell == true { storage.record?.learnShell(self) }
    storage.link(slot, value, owner: self)
    _$storage.island = storage.island
  }

  private func setTargets(_ slot: Int, _ values: [any PersistentModel]) {
    var storage = _$storage
    storage.record = _$record
    if storage.record?.needsShell == true { storage.record?.learnShell(self) }
    storage.link(slot, all: values, owner: self)
    _$storage.island = storage.island
  }
}

extension ModelStorage {
  /// Sets a to-one relationship in an initializer.
  public mutating func initialize<V: PersistentModel>(
    _ description: ModelDescription, _ slot: Int, _ value: V
  ) {
    _ = makeRecord(description)
    link(slot, value, owner: nil)
  }

  /// Sets a to-one relationship in an initializer.
  public mutating func initialize<V: PersistentModel>(
    _ description: ModelDescription, _ slot: Int, _ value: V?
  ) {
    guard let value else { return }
    _ = makeRecord(description)
    link(slot, value, owner: nil)
  }

  /// Sets a to-many relationship in an initializer.
  public mutating func initialize<V: PersistentModel>(
    _ description: ModelDescription, _ slot: Int, _ value: [V]
  ) {
    if value.isEmpty { return }
    _ = makeRecord(description)
    link(slot, all: value, owner: nil)
  }

  /// Sets a to-many relationship in an initializer.
  public mutating func initialize<V: PersistentModel>(
    _ description: ModelDescription, _ slot: Int, _ value: [V]?
  ) {
    initialize(description, slot, value ?? [])
  }

  /// The record is there; the owner is nil while its initializer runs.
  mutating func link(
    _ slot: Int, _ value: (any PersistentModel)?, owner: (any PersistentModel)?
  ) {
    guard let record else { return }
    guard let value else {
      record.graph?.setToOne(record, slot, nil)
      return
    }
    guard let (graph, target) = join(value, owner: owner) else { return }
    graph.setToOne(record, slot, target)
  }

  mutating func link(
    _ slot: Int, all values: [any PersistentModel], owner: (any PersistentModel)?
  ) {
    guard let record else { return }
    var targets: [ModelRecord] = []
    for value in values {
      if let (_, target) = join(value, owner: owner) { targets.append(target) }
    }
    record.graph?.setToMany(record, slot, targets)
  }

  /// Brings owner and target into one graph; nil when they belong to different contexts.
  ///
  /// A saved instance of another context is replaced by this context's own instance of its row.
  private mutating func join(
    _ value: any PersistentModel, owner: (any PersistentModel)?
  ) -> (ObjectGraph, ModelRecord)? {
    guard let record else { return nil }
    var target = value._$record
    if target.graph == nil || target.graph?.isIsland == true { target.looseShell = value }
    if let owner, record.graph == nil { record.looseShell = owner }
    if let graph = ObjectGraph.common(record, target) {
      if owner == nil, record.looseShell == nil { record.needsShell = true }
      if graph.isIsland {
        island = graph
        value._$storage.island = graph
      }
      return (graph, target)
    }
    guard let graph = record.graph, target.row > 0 else {
      assertionFailure("an unsaved instance of one context cannot be linked in another")
      return nil
    }
    target = graph.ensureRecord(target.description, target.row)
    return (graph, target)
  }
}

extension ModelRecord {
  func target<V: PersistentModel>(_ slot: Int) -> V? {
    if let probe {
      let next = ModelRecord(V._$description)
      next.probe = probe
      probe.lead(to: next)
      return V(_$record: next)
    }
    guard let graph, let target = graph.toOne(self, slot) else { return nil }
    return graph.shell(target, as: V.self)
  }

  func targets<V: PersistentModel>(_ slot: Int) -> [V] {
    guard let graph else { return [] }
    return graph.toMany(self, slot).compactMap { graph.shell($0, as: V.self) }
  }
}
