import RoostModel
import Testing

@testable import RoostClient

@Suite struct ImportChunkerTests {
  static func batch(_ range: Range<Int>, columns: [PropertyID] = [1, 2]) -> RowBatch {
    var writer = PackedWriter()
    for number in range {
      for column in columns {
        if column == 1 { writer.int(Int64(number)) } else { writer.text("row \(number)") }
      }
    }
    return RowBatch(
      entity: 1, schemaVersion: 1, columns: columns, rowCount: range.count, body: writer.bytes)
  }

  static func numbers(_ chunks: [RowBatch]) throws -> [Int64] {
    try chunks.flatMap { try $0.rows() }.map { row in
      guard case .int(let number) = row[0] else { return -1 }
      return number
    }
  }

  @Test(arguments: [[1, 1, 1, 1, 1, 1, 1], [25], [4, 1, 9, 10, 1], [10, 10, 5], [19, 20, 21]])
  func keepsEveryRowInOrderAndChunksWithinBounds(_ sizes: [Int]) throws {
    var chunker = ImportChunker(rowsMax: 10, bytesMax: 10_000)
    var chunks: [RowBatch] = []
    var row = 0
    for size in sizes {
      chunks += try chunker.add(Self.batch(row..<row + size))
      row += size
    }
    if let last = chunker.flush() { chunks.append(last) }
    #expect(try Self.numbers(chunks) == (0..<Int64(row)).map { $0 })
    #expect(chunks.allSatisfy { $0.rowCount > 0 && $0.rowCount <= 20 })
  }

  @Test func cutsByBytesToo() throws {
    var chunker = ImportChunker(rowsMax: 1_000, bytesMax: 64)
    let chunks = try chunker.add(Self.batch(0..<100))
    #expect(chunks.count > 10)
    #expect(chunks.allSatisfy { $0.body.count < 64 + 12 })
    let rest = chunker.flush().map { [$0] } ?? []
    #expect(try Self.numbers(chunks + rest) == (0..<100).map { $0 })
  }

  @Test func otherColumnsBeginAnotherChunk() throws {
    var chunker = ImportChunker(rowsMax: 10, bytesMax: 10_000)
    let none = try chunker.add(Self.batch(0..<3))
    #expect(none.isEmpty)
    let first = try chunker.add(Self.batch(3..<5, columns: [1]))
    #expect(first.map(\.columns) == [[1, 2]])
    let last = chunker.flush()
    #expect(last?.columns == [1])
  }

  @Test func anEmptyBatchIsNothing() throws {
    var chunker = ImportChunker()
    let chunks = try chunker.add(Self.batch(0..<0))
    #expect(chunks.isEmpty)
    let rest = chunker.flush()
    #expect(rest == nil)
  }

  @Test func brokenRowsAreRefusedBeforeTheyAreSent() {
    var chunker = ImportChunker(rowsMax: 2, bytesMax: 100)
    var broken = Self.batch(0..<10)
    broken.body.removeLast()
    #expect(throws: ClientError.self) { try chunker.add(broken) }
  }
}
