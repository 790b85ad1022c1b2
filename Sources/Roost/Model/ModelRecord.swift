public import RoostModel

/// The state of one row in one context: the row as stored, and what has been set since.
///
/// The instance of the class is a shell around it. A record belongs to the isolation of its
/// context. Values are decoded from the packed row when they are read, never before.
///
/// Exclusive access to its properties is not checked at run time: no property is read or written
/// while another access to it lasts, since none is passed `inout` to code of others, and the checks
/// cost more than the accesses.
public final class ModelRecord {
  enum State: UInt8 {
    /// In no context.
    case loose
    case inserted
    case clean
    case changed
    /// Marked for deletion.
    case deleted
    /// Deleted in the store; the last values stay readable.
    case gone
  }

  @usableFromInline package let description: ModelDescription
  /// Negative until the first save.
  @exclusivity(unchecked) package internal(set) var row: Int64
  @exclusivity(unchecked) var link: GraphLink?
  @exclusivity(unchecked) var base: RowSlice?
  /// By slot, for what was set; empty when nothing was.
  @exclusivity(unchecked) var values: [Value?] = []
  /// Slots set since the last save.
  @exclusivity(unchecked) var dirty = SlotSet()
  /// The instance, held while a context has the record.
  @exclusivity(unchecked) @usableFromInline var shell: AnyObject?
  /// What few records have.
  @exclusivity(unchecked) private(set) var rarities: RecordRarities?
  /// Where it stands in the order of insertions, or of deletions.
  @exclusivity(unchecked) var sequence = 0
  @exclusivity(unchecked) var state = State.loose
  /// Linked while its initializer still ran; the next access tells which instance it is.
  @exclusivity(unchecked) var needsShell = false
  /// Deleted together with an owner whose deletion makes the store delete it, too.
  @exclusivity(unchecked) var isCascaded = false
  /// Somebody was given the temporary identifier and may come back with it at any time.
  @exclusivity(unchecked) var isTemporaryKnown = false

  init(_ description: ModelDescription) {
    self.description = description
    row = TemporaryRows.next()
  }

  init(_ description: ModelDescription, row: Int64, base: RowSlice?) {
    self.description = description
    self.row = row
    self.base = base
  }

  var graph: ObjectGraph? { link?.graph }
  package var key: ObjectKey { ObjectKey(model: description.index, row: row) }

  var isPending: Bool {
    switch state {
    case .inserted, .changed, .deleted: true
    case .loose, .clean, .gone: false
    }
  }

  /// Names the row; temporary ones are unique within the process.
  package var identifier: PersistentIdentifier {
    if row < 0 { isTemporaryKnown = true }
    return PersistentIdentifier(
      entityName: description.name, row: row,
      storeIdentifier: row < 0 ? nil : link?.storeIdentifier)
  }

  /// Whether nobody but the record holds its instance, so that nobody notices a new one.
  var isShellUnused: Bool { shell == nil || isKnownUniquelyReferenced(&shell) }

  /// The rarities, made if there are none yet.
  func withRarities() -> RecordRarities {
    if let rarities { return rarities }
    let made = RecordRarities()
    rarities = made
    return made
  }

  /// Its instance if there is one and it is of the class.
  @inlinable
  func shell(of model: ModelDescription) -> AnyObject? { description === model ? shell : nil }

  // MARK: Values

  /// A column's value: what was set, else what is stored, else null.
  package func value(_ slot: Int) -> Value {
    if slot < values.count, let value = values[slot] { return value }
    return storedValue(slot) ?? .null
  }

  /// The committed value; nil when the row does not hold the column.
  func storedValue(_ slot: Int) -> Value? {
    if let base {
      if let value = base.value(slot) { return value }
      if row > 0, state != .gone, let graph, graph.loadMissing(self) {
        return self.base?.value(slot)
      }
    } else if row > 0, state == .clean || state == .changed, let graph, graph.loadMissing(self) {
      return self.base?.value(slot)
    }
    return nil
  }

  /// The value as of the last save or load.
  func committedValue(_ slot: Int) -> Value {
    if !dirty.contains(slot) { return value(slot) }
    return stash[slot] ?? base?.value(slot) ?? .null
  }

  @usableFromInline
  func put(_ slot: Int, _ value: Value) {
    if values.isEmpty {
      values = [Value?](repeating: nil, count: description.properties.count)
    }
    if state == .clean || state == .changed, !dirty.contains(slot), let committed = values[slot] {
      stash[slot] = committed
    }
    values[slot] = value
  }

  /// Goes back to what was last saved.
  func revert() {
    for slot in values.indices where dirty.contains(slot) { values[slot] = stash[slot] }
    stash = [:]
    dirty = SlotSet()
    decoded = [:]
    for index in toMany.indices { toMany[index].revert() }
  }
}
