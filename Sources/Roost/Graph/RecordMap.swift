/// Records by class and row: the identity map and the lists of what is pending.
///
/// Holds its records. Values and keys are copies, so that the map may change while they are
/// walked; they come in no order.
struct RecordMap: ~Copyable {
  private var table = RowTable<UnsafeMutableRawPointer>()

  deinit { table.forEach { _, _, pointer in RecordMap.release(pointer) } }

  var count: Int { table.count }
  var isEmpty: Bool { table.count == 0 }

  subscript(key: ObjectKey) -> ModelRecord? {
    get { find(key.model, key.row) }
    set {
      let old =
        if let newValue {
          table.set(key.model, key.row, Unmanaged.passRetained(newValue).toOpaque())
        } else {
          table.remove(key.model, key.row)
        }
      if let old { RecordMap.release(old) }
    }
  }

  func find(_ model: UInt32, _ row: Int64) -> ModelRecord? {
    table.find(model, row).map { RecordMap.record($0) }
  }

  var values: [ModelRecord] {
    var values: [ModelRecord] = []
    values.reserveCapacity(count)
    table.forEach { _, _, pointer in values.append(RecordMap.record(pointer)) }
    return values
  }

  /// The records that satisfy a test, which must not change the map.
  func filter(_ isIncluded: (ModelRecord) -> Bool) -> [ModelRecord] {
    var found: [ModelRecord] = []
    table.forEach { _, _, pointer in
      let record = RecordMap.record(pointer)
      if isIncluded(record) { found.append(record) }
    }
    return found
  }

  var keys: [ObjectKey] {
    var keys: [ObjectKey] = []
    keys.reserveCapacity(count)
    table.forEach { model, row, _ in keys.append(ObjectKey(model: model, row: row)) }
    return keys
  }

  mutating func reserve(_ more: Int) { table.reserve(more) }

  /// Gives what it held: a record's end may run code that looks into the map, so it comes after.
  @discardableResult
  mutating func removeAll() -> [ModelRecord] {
    if isEmpty { return [] }
    let held = values
    table.forEach { _, _, pointer in RecordMap.release(pointer) }
    table.removeAll()
    return held
  }

  private static func record(_ pointer: UnsafeMutableRawPointer) -> ModelRecord {
    Unmanaged<ModelRecord>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func release(_ pointer: UnsafeMutableRawPointer) {
    Unmanaged<ModelRecord>.fromOpaque(pointer).release()
  }
}
