package import RoostModel

/// Rows ready to be sent, and where they came from.
package struct ImportBatch: Hashable, Sendable {
  package var rows: RowBatch
  /// The line of each row.
  package var lines: [Int]

  package init(rows: RowBatch, lines: [Int]) {
    self.rows = rows
    self.lines = lines
  }
}

/// Collects rows into chunks of ``ImportLimits/chunkRows`` rows or
/// ``ImportLimits/chunkBytes`` bytes.
package struct BatchBuilder {
  private let entity: EntityID
  private let schemaVersion: UInt32
  private var writer = PackedWriter(reserving: ImportLimits.chunkBytes + 4_096)
  private var lines: [Int] = []
  package private(set) var columns: [PropertyID]

  package init(entity: EntityID, schemaVersion: UInt32, columns: [PropertyID]) {
    self.entity = entity
    self.schemaVersion = schemaVersion
    self.columns = columns
    lines.reserveCapacity(ImportLimits.chunkRows)
  }

  package var isFull: Bool {
    lines.count >= ImportLimits.chunkRows || writer.bytes.count >= ImportLimits.chunkBytes
  }

  /// Appends what `row` writes; a row that throws leaves nothing behind.
  @inline(__always)
  package mutating func append(
    line: Int, _ row: (inout PackedWriter) throws(CellFault) -> Void
  ) throws(InputFault) {
    let mark = writer.bytes.count
    do throws(CellFault) {
      try row(&writer)
    } catch {
      writer.truncate(to: mark)
      throw InputFault(line: line, attribute: error.attribute, reason: error.reason)
    }
    lines.append(line)
    ProcessorTurn.didRead(lines.count)
  }

  /// The rows so far, if there are any; goes on with an empty chunk of these columns.
  package mutating func take(continuingWith columns: [PropertyID]? = nil) -> ImportBatch? {
    defer { if let columns { self.columns = columns } }
    guard !lines.isEmpty else { return nil }
    let batch = ImportBatch(
      rows: RowBatch(
        entity: entity, schemaVersion: schemaVersion, columns: self.columns,
        rowCount: lines.count, body: writer.bytes),
      lines: lines)
    writer = PackedWriter(reserving: ImportLimits.chunkBytes + 4_096)
    lines = []
    lines.reserveCapacity(ImportLimits.chunkRows)
    return batch
  }
}
