import RoostModel

/// The packed rows of one result, shared by the records made from it.
final class RowStore {
  let body: [UInt8]
  /// By slot: where in a row its value stands; -1 when the result does not have it.
  let positions: [Int16]
  let columnCount: Int
  /// Whether every column of the entity is there.
  let isWhole: Bool

  init(_ batch: RowBatch, binding: EntityBinding) {
    body = batch.body
    columnCount = batch.columns.count
    var positions = [Int16](repeating: -1, count: binding.properties.count)
    for (position, column) in batch.columns.enumerated() {
      if let slot = binding.slots[column] { positions[slot] = Int16(position) }
    }
    self.positions = positions
    isWhole = binding.description.properties.allSatisfy { $0.isToMany || positions[$0.slot] >= 0 }
  }

  /// Calls the body with each row that is there; stops at bytes that are no rows.
  @inline(__always)
  func forEachRow(_ count: Int, _ body: (Int64, RowSlice) -> Void) {
    self.body.withUnsafeBytes { bytes in
      var start = 0
      for _ in 0..<count {
        let row = PackedRow(bytes, at: start)
        guard let end = row.end(columns: columnCount) else { return }
        if let identifier = row.integer(0) {
          body(identifier, RowSlice(store: self, offset: start))
        }
        start = end
      }
    }
  }
}

/// One row of a ``RowStore``.
struct RowSlice {
  let store: RowStore
  let offset: Int

  /// Whether it has every column of its entity.
  var isWhole: Bool { store.isWhole }

  /// nil when the result does not have the column.
  ///
  /// - Complexity: O(columns before it); a text is decoded anew each time.
  func value(_ slot: Int) -> Value? { read(slot) { $0.value($1) } }

  /// Reads the column of a slot in the form the reader gives; nil when the result lacks it.
  @inline(__always)
  func read<Result>(_ slot: Int, _ reader: (PackedRow, Int) -> Result?) -> Result? {
    let position = Int(store.positions[slot])
    guard position >= 0 else { return nil }
    return store.body.withUnsafeBytes { reader(PackedRow($0, at: offset), position) }
  }

  func hasSameBytes(as other: RowSlice) -> Bool {
    guard store.positions == other.store.positions, store.columnCount == other.store.columnCount
    else { return false }
    return withBytes { own in other.withBytes { own.elementsEqual($0) } }
  }

  private func withBytes<Result>(_ body: (Slice<UnsafeRawBufferPointer>) -> Result) -> Result {
    store.body.withUnsafeBytes { bytes in
      let end = PackedRow(bytes, at: offset).end(columns: store.columnCount) ?? offset
      return body(bytes[offset..<end])
    }
  }

  /// The rows that came after this one in its result, at most so many, this one first.
  func followers(max: Int) -> [RowSlice] {
    store.body.withUnsafeBytes { bytes in
      var found: [RowSlice] = []
      var start = offset
      while found.count < max, start < bytes.count {
        found.append(RowSlice(store: store, offset: start))
        guard let end = PackedRow(bytes, at: start).end(columns: store.columnCount) else { break }
        start = end
      }
      return found
    }
  }
}
