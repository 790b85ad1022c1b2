import FoundationEssentials
import RoostModel
import RoostWire
import Testing

/// Everything the model's types hold survives the wire; one value has one form.
@Suite struct RoundTripTests {
  @Test(arguments: seeds) func values(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<600 {
      let value = random.value()
      var writer = PackedWriter()
      writer.value(value)
      let (read, skipped) = try writer.bytes.withUnsafeBytes { buffer in
        var reader = PackedReader(buffer)
        var skipper = PackedReader(buffer)
        try skipper.skip()
        return (try reader.value(), skipper.offset)
      }
      var again = PackedWriter()
      again.value(read)
      #expect(again.bytes == writer.bytes)
      #expect(read == value)
      #expect(skipped == writer.bytes.count)
    }
  }

  @Test(arguments: seeds) func queries(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var taken = 0
    for _ in 0..<150 {
      let fetch = FetchRequest(
        random.query(), chunkRows: random.isTrue() ? 1 + random.below(5_000) : nil,
        chunkBytes: random.isTrue() ? 1 + random.below(500_000) : nil)
      var writer = PackedWriter()
      do {
        try fetch.encode(into: &writer)
      } catch {
        // A random tree may be too large; then no server would take it either.
        #expect(error.detail == .expressionTooLarge)
        continue
      }
      taken += 1
      #expect(try writer.bytes.withUnsafeBytes { try FetchRequest($0) } == fetch)
    }
    #expect(taken > 130)
  }

  @Test(arguments: seeds) func writes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let batch = WriteBatch(
        operations: (0..<random.below(20)).map { _ in random.operation() },
        schemaVersion: UInt32(random.below(1_000)), author: random.isTrue() ? random.text() : nil)
      var writer = PackedWriter()
      batch.encode(into: &writer)
      #expect(try writer.bytes.withUnsafeBytes { try WriteBatch($0) } == batch)
    }
  }

  @Test(arguments: seeds) func schemas(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let register = SchemaRegisterRequest(
        schema: random.schema(), mode: random.isTrue() ? .check : .apply)
      var writer = PackedWriter()
      register.encode(into: &writer)
      #expect(try writer.bytes.withUnsafeBytes { try SchemaRegisterRequest($0) } == register)
    }
  }

  @Test func getOfOneRowIsTheSameBytesBothWays() throws {
    for row in [0, 1, 127, 128, -1, Int64.max, Int64.min] {
      var fast = PackedWriter()
      GetRequest.encode(entity: 300, row: row, into: &fast)
      var slow = PackedWriter()
      GetRequest(entity: 300, keys: [.row(row)]).encode(into: &slow)
      #expect(fast.bytes == slow.bytes)
      let found = fast.bytes.withUnsafeBytes { GetRequest.oneRow($0) }
      #expect(found?.entity == 300)
      #expect(found?.row == row)
    }
  }

  @Test func fastGetsLeaveEverythingElseToTheFullReader() {
    let others: [GetRequest] = [
      GetRequest(entity: 1, keys: []), GetRequest(entity: 1, keys: [.row(1), .row(2)]),
      GetRequest(entity: 1, keys: [.row(1)], columns: [1]),
      GetRequest(entity: 1, keys: [.constraint([1], [.text("a")])]),
    ]
    for other in others {
      var writer = PackedWriter()
      other.encode(into: &writer)
      #expect(writer.bytes.withUnsafeBytes { GetRequest.oneRow($0) } == nil)
      for cut in 0..<writer.bytes.count {
        writer.bytes.withUnsafeBytes { buffer in
          let part = UnsafeRawBufferPointer(rebasing: buffer[..<cut])
          #expect(GetRequest.oneRow(part) == nil)
          var calls = 0
          #expect(!GetRequest.eachRow(part) { _, _ in calls += 1 })
          #expect(calls == 0)
        }
      }
    }
  }

  @Test func rowsOfAGetAreVisitedInOrder() {
    var writer = PackedWriter()
    GetRequest(entity: 7, keys: [.row(3), .row(-1), .row(300)]).encode(into: &writer)
    var rows: [Int64] = []
    let isPlain = writer.bytes.withUnsafeBytes { buffer in
      GetRequest.eachRow(buffer) { entity, row in
        #expect(entity == 7)
        rows.append(row)
      }
    }
    #expect(isPlain)
    #expect(rows == [3, -1, 300])
  }

  @Test func expressionTooDeepIsNotWritten() {
    var deep = QueryExpression.literal(.bool(true))
    for _ in 0..<10_000 { deep = .not(deep) }
    var writer = PackedWriter()
    let error = #expect(throws: MessageError.self) { try deep.encode(into: &writer) }
    #expect(error?.detail == .expressionTooLarge)
  }

  @Test func expressionAtItsLimitsIsTaken() throws {
    var deep = QueryExpression.literal(.bool(true))
    for _ in 1..<Limits.expressionDepthMax { deep = .not(deep) }
    let wide = QueryExpression.and(
      Array(repeating: .literal(.null), count: Limits.expressionNodesMax - 1))
    for expression in [deep, wide] {
      var writer = PackedWriter()
      try expression.encode(into: &writer)
      let read = try writer.bytes.withUnsafeBytes { buffer in
        var reader = PackedReader(buffer)
        return try QueryExpression(from: &reader)
      }
      #expect(read == expression)
    }
  }

  @Test func errorsKeepStatusDetailOperationAndCause() throws {
    let error = StoreError(.internal, .outcomeUnknown, "lost", operation: 3, cause: "disk")
    var writer = PackedWriter()
    EndStatus(error).encode(into: &writer)
    #expect(try writer.bytes.withUnsafeBytes { try EndStatus($0) }.error == error)
  }

  @Test func unknownStatusCountsAsUnknown() throws {
    let bytes: [UInt8] = [99, 0, 1, 0, 0x0B, 0]
    let end = try bytes.withUnsafeBytes { try EndStatus($0) }
    #expect(end.status == .unknown)
    #expect(end.detail.rawValue == 1)
  }

  @Test func plainEndIsEmpty() {
    var writer = PackedWriter()
    EndStatus.ok.encode(into: &writer)
    #expect(writer.bytes.isEmpty)
    #expect(FetchEnd(FetchEnd(rows: 3, token: .max).status) == FetchEnd(rows: 3, token: .max))
  }
}
