import RoostModel

/// The packed rows of one result, shared by the records made from it.
final class RowStore {
  let body: [UInt8]
  /// By slot: where in a row its value stands; -1 when the result does not have it.
  let positions: [Int16]
  let columnCount: Int
  /// Whether every column of the entity is there.
  let isWhole: Bool
  /// Where each row starts, for reading ahead.
  var starts: [Int] = []

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
}

/// One row of a ``RowStore``.
struct RowSlice {
  let store: RowStore
  let offset: Int
  let byteCount: Int

  /// nil when the result does not have the column.
  ///
  /// - Complexity: O(columns before it); a text is decoded anew each time.
  func value(_ slot: Int) -> Value? {
    let position = store.positions[slot]
    guard position >= 0 else { return nil }
    return store.body.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes, offset: offset)
      do throws(PackedError) {
        for _ in 0..<position { try reader.skip() }
        return try reader.value()
      } catch {
        return nil
      }
    }
  }

  func hasSameBytes(as other: RowSlice) -> Bool {
    guard byteCount == other.byteCount, store.positions == other.store.positions else {
      return false
    }
    return store.body[offset..<offset + byteCount]
      .elementsEqual(other.store.body[other.offset..<other.offset + other.byteCount])
  }
}
