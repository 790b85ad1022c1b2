import RoostModel

/// Finds rows and values within packed rows.
enum RowSlicer {
  /// Where each row begins, and the end of the last.
  static func bounds(
    _ body: UnsafeRawBufferPointer, columnCount: Int, rowCount: Int
  ) throws(PackedError) -> [Int] {
    var reader = PackedReader(body)
    var bounds = [0]
    bounds.reserveCapacity(rowCount + 1)
    for _ in 0..<rowCount {
      for _ in 0..<columnCount { try reader.skip() }
      bounds.append(reader.offset)
    }
    return bounds
  }

  /// Appends the values at `places` of one row; null where the row is shorter.
  ///
  /// Stops with the first value that takes the writer over `bytesMax`: a column may be asked for
  /// many times.
  static func project(
    _ row: UnsafeRawBufferPointer, columnCount: Int, _ places: [Int],
    into writer: inout PackedWriter, bytesMax: Int
  ) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: columnCount + 1) { offsets in
      var reader = PackedReader(row)
      var known = 0
      offsets[0] = 0
      do throws(PackedError) {
        while known < columnCount {
          try reader.skip()
          known += 1
          offsets[known] = reader.offset
        }
      } catch {
        // The cache holds only what a reader encoded.
        assertionFailure("a cached row is broken: \(error)")
      }
      for place in places where writer.byteCount <= bytesMax {
        if place < known {
          writer.raw(UnsafeRawBufferPointer(rebasing: row[offsets[place]..<offsets[place + 1]]))
        } else {
          writer.null()
        }
      }
    }
  }
}
