import RoostImport

/// Where the rows of an import under way came from, until the server has judged them.
struct LineMap {
  private struct Part {
    var firstRow: Int
    var file: Int
    var lines: [Int]
    var endRow: Int { firstRow + lines.count }
  }

  private var parts: [Part] = []
  private(set) var rowCount = 0

  /// Rows of a chunk that is handed over now.
  mutating func add(_ batch: FileBatch) {
    parts.append(Part(firstRow: rowCount, file: batch.file, lines: batch.batch.lines))
    rowCount += batch.batch.lines.count
  }

  /// File and line of a row, counted from 0 over the whole import.
  func place(ofRow row: Int) -> (file: Int, line: Int)? {
    guard let part = parts.first(where: { $0.firstRow <= row && row < $0.endRow }) else {
      return nil
    }
    return (part.file, part.lines[row - part.firstRow])
  }

  /// Forgets rows before `row`.
  mutating func drop(before row: Int) {
    parts.removeAll { $0.endRow <= row }
  }
}
