package import RoostModel

/// Where a graph gets what it has not loaded; a remote graph has none and gives what it knows.
package protocol GraphSource: AnyObject {
  /// Rows by identifier, whole; nil when they cannot be read.
  func rows(_ entity: EntityBinding, ids: [Int64]) -> RowBatch?
  /// Rows of a to-many relationship; nil when they cannot be read.
  func related(_ entity: EntityBinding, row: Int64, property: PropertyID) -> [Int64]?
}

/// The objects of one context: identity map, pending changes, relationships kept in step.
///
/// Values only, no engine: a context in process gives it a ``GraphSource``, a remote one feeds it
/// row batches and takes the write operations. Instances that are linked before insertion share a
/// graph of their own, an island, which a context absorbs when one of them is inserted.
///
/// Isolation: confined to its context's. As with ``ModelRecord``, exclusive access is not checked
/// at run time: when code of others runs, every map is whole and nobody uses what it read before.
@usableFromInline
package final class ObjectGraph {
  private(set) var link: GraphLink?
  /// Inserted records in the order of their insertion, with some that are no longer pending.
  @exclusivity(unchecked) var insertions: [ModelRecord] = []
  let isIsland: Bool
  package weak var context: ModelContext?
  package weak var source: (any GraphSource)?
  @exclusivity(unchecked) package var binding: SchemaBinding? {
    didSet { link?.storeIdentifier = binding?.storeIdentifier }
  }
  /// Called when something becomes pending.
  @exclusivity(unchecked) package var onChange: (() -> Void)?
  /// The identity map. Its records hold their instances until ``sweep()`` lets go of them.
  @exclusivity(unchecked) private(set) var entries = RecordMap()
  @exclusivity(unchecked) var inserted = RecordMap()
  @exclusivity(unchecked) var changed = RecordMap()
  @exclusivity(unchecked) var deleted = RecordMap()
  /// What the deletion of an owner took along, should the owner be inserted again before a save.
  var cascades: [ObjectKey: [CascadedRecord]] = [:]
  /// Records with to-many changes, whether or not they write anything themselves.
  @exclusivity(unchecked) var touched = RecordMap()
  /// Temporary rows that became others: saved, or collapsed into another instance.
  ///
  /// Kept for good where the temporary identifier was handed out: whoever asked for it may hold
  /// it. That bounds them by what was asked for. The others stand only in records of this graph,
  /// which a save leads to the permanent rows; they go at the end of the save after that.
  @exclusivity(unchecked) private(set) var aliases = RowTable<Int64>()
  /// Temporary rows nobody outside knows: those of the last save, and those before it.
  @exclusivity(unchecked) private var fleeting: (new: [Int64], old: [Int64]) = ([], [])
  /// The island this one was merged into, kept alive for the instances that hold this one.
  @exclusivity(unchecked) var forward: ObjectGraph?
  @exclusivity(unchecked) private var sequence = 0
  private var sweepThreshold = GraphLimits.sweepMin

  package init() {
    isIsland = false
    link = GraphLink(self)
  }

  init(island: Bool) {
    isIsland = island
    link = GraphLink(self)
  }

  // Records and instances hold each other while they are registered.
  deinit { reset() }

  package var hasChanges: Bool { !inserted.isEmpty || !changed.isEmpty || !deleted.isEmpty }
  package var registeredCount: Int { entries.count }

  func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  // MARK: Identity

  /// The row a temporary one has become; the row itself otherwise.
  func resolve(_ row: Int64) -> Int64 {
    var row = row
    while row < 0, let other = aliases.find(Self.anyModel, row) { row = other }
    return row
  }

  /// Temporary rows are unique whatever their class.
  private static let anyModel: UInt32 = 1

  /// Notes what the record's temporary row becomes.
  func alias(_ record: ModelRecord, to row: Int64) {
    aliases.set(Self.anyModel, record.row, row)
    if !record.isTemporaryKnown { fleeting.new.append(record.row) }
  }

  /// Keeps what the record leads to findable while the record is in no graph.
  func keepAliases(for record: ModelRecord) {
    for slot in record.description.toOneSlots {
      guard case .reference(let reference) = record.value(slot) else { continue }
      keepAlias(of: reference.row, record.description.properties[slot])
    }
    for (state, slot) in zip(record.toMany, record.description.toManySlots) {
      for row in state.added { keepAlias(of: row, record.description.properties[slot]) }
    }
  }

  private func keepAlias(of row: Int64, _ property: PropertyDescription) {
    guard row < 0, let model = property.destination else { return }
    record(model, row)?.isTemporaryKnown = true
  }

  /// Forgets temporary rows that nothing can lead to any more; called when a save is over.
  func dropAliases() {
    for row in fleeting.old { aliases.remove(Self.anyModel, row) }
    fleeting = ([], fleeting.new)
  }

  func record(_ model: ModelDescription, _ row: Int64) -> ModelRecord? {
    entries.find(model.index, resolve(row))
  }

  /// The record of a row, unloaded if it is not registered yet.
  func ensureRecord(_ model: ModelDescription, _ row: Int64) -> ModelRecord {
    let row = resolve(row)
    if let known = entries[ObjectKey(model: model.index, row: row)] { return known }
    let record = ModelRecord(model, row: row, base: nil)
    adopt(record, state: .clean)
    return record
  }

  func adopt(_ record: ModelRecord, state: ModelRecord.State, shell: AnyObject? = nil) {
    record.state = state
    record.link = link
    if let shell { record.shell = shell }
    entries[record.key] = record
  }

  /// Takes a record out; whoever holds its instance keeps it.
  func remove(_ record: ModelRecord) {
    entries[record.key] = nil
    record.shell = nil
  }

  /// Forgets an island's records, which another graph has taken.
  func removeAll() {
    entries.removeAll()
    touched.removeAll()
  }

  func reserve(_ count: Int) { entries.reserve(count) }

  /// The one instance of a record.
  @usableFromInline
  package func shell(_ record: ModelRecord) -> any PersistentModel {
    if let shell = record.shell as? any PersistentModel { return shell }
    if let shell = record.looseShell { return hold(shell, for: record) }
    return hold(record.description.makeShell(record), for: record)
  }

  /// As ``shell(_:)`` where the class is known.
  @inlinable
  func shell<Model: PersistentModel>(_ record: ModelRecord, as type: Model.Type) -> Model? {
    if let known = record.shell(of: type._$description) { return unsafeDowncast(known, to: type) }
    guard isPlain(record, type._$description) else {
      return record.description === type._$description ? shell(record) as? Model : nil
    }
    let made = type.init(_$record: record)
    record.shell = made
    return made
  }

  /// Whether a record is of the class and its instance is made without further ado.
  @usableFromInline
  func isPlain(_ record: ModelRecord, _ model: ModelDescription) -> Bool {
    record.description === model && !isIsland && record.state == .clean
  }

  @discardableResult
  func hold(_ shell: any PersistentModel, for record: ModelRecord) -> any PersistentModel {
    if isIsland {
      record.looseShell = shell
      shell._$storage.island = self
    } else {
      record.shell = shell
    }
    return shell
  }

  /// Learns the instance of a record that was linked while its initializer still ran.
  func learn(_ shell: any PersistentModel, for record: ModelRecord) {
    if isIsland {
      if record.looseShell == nil { hold(shell, for: record) }
    } else if record.shell == nil {
      hold(shell, for: record)
      if record.state == .inserted { shell._$storeConstants() }
    }
  }

  // MARK: Pending changes

  func markChanged(_ record: ModelRecord, _ slot: Int) {
    switch record.state {
    case .clean:
      record.dirty.insert(slot)
      record.state = .changed
      changed[record.key] = record
      onChange?()
    case .changed:
      record.dirty.insert(slot)
      // Also what is pending already: a save that failed is tried again after the next change.
      onChange?()
    case .deleted: record.dirty.insert(slot)
    case .inserted: onChange?()
    case .loose, .gone: break
    }
  }

  func markTouched(_ record: ModelRecord) { touched[record.key] = record }

  // MARK: Letting go

  /// Lets go of clean instances that nobody else holds, once there are twice as many as before.
  @usableFromInline
  func sweepIfNeeded() {
    if entries.count >= sweepThreshold { sweep() }
  }

  package func sweep() {
    guard !isIsland else { return }
    let dead = entries.filter { record in
      record.state == .clean && record.isShellUnused && touched[record.key] == nil
    }
    for record in dead { remove(record) }
    sweepThreshold = max(GraphLimits.sweepMin, entries.count * 2)
  }

  /// Forgets everything; instances keep their last values.
  package func reset() {
    for record in entries.values {
      record.link = nil
      record.shell = nil
    }
    entries.removeAll()
    dropPending()
  }
}

extension ObjectGraph {
  /// Nothing is pending any more.
  func dropPending() {
    insertions = []
    inserted.removeAll()
    changed.removeAll()
    deleted.removeAll()
    cascades = [:]
    touched.removeAll()
  }
}

/// Bounds of what a graph keeps.
enum GraphLimits {
  /// Registered instances below which nothing is swept.
  static let sweepMin = 4_096
  /// Rows whose to-one targets are loaded together when one of them is asked for.
  static let prefetchRowsMax = 256
  /// Rows asked for in one call of the source.
  static let loadRowsMax = 1_000
}
