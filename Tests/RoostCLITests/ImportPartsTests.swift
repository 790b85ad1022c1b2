import RoostClient
import RoostImport
import RoostModel
import Testing

@testable import RoostCLI

@Suite struct ImportPartsTests {
  private func batch(_ lines: [Int], file: Int = 0) -> FileBatch {
    FileBatch(
      file: file,
      batch: ImportBatch(
        rows: RowBatch(entity: 1, schemaVersion: 1, columns: [1], rowCount: lines.count),
        lines: lines))
  }

  @Test func rowsAreFoundAgainByTheirPlace() {
    var map = LineMap()
    map.add(batch([2, 3, 7]))
    map.add(batch([9], file: 1))
    map.add(batch([2, 4], file: 1))
    #expect(map.rowCount == 6)
    #expect(map.place(ofRow: 2)?.line == 7)
    #expect(map.place(ofRow: 3)?.file == 1)
    #expect(map.place(ofRow: 5)?.line == 4)
    #expect(map.place(ofRow: 6) == nil)
    map.drop(before: 4)
    #expect(map.place(ofRow: 3) == nil)
    #expect(map.place(ofRow: 4)?.line == 2)
  }

  /// Of rows whose fate the server forgot, the place where they begin is named.
  @Test func unknownRowsAreNamedByTheirFirst() throws {
    let schema = StoreSchema(entities: [
      EntitySchema(
        id: 1, name: "N",
        properties: [
          PropertySchema(id: 1, name: "n", kind: .attribute(.int), isOptional: false)
        ])
    ])
    let target = try ImportTarget(schema: schema, entity: "N", key: [], conflict: .update)
    let log = try RejectLog(path: nil)
    let job = ImportJob(target: target, files: FileQueue([])) { _ throws(BindingFault) in
      throw BindingFault("not read")
    }
    var state = StreamState(job: job, log: log)
    var progress = ImportProgress()
    progress.acknowledged = 4
    progress.accepted = 1
    progress.rejected = 1
    progress.unknown = 2
    let error = ImportRowError(row: 0, detail: .badValue, property: 1, message: "no number")
    state.judge([ImportReport(progress: progress, errors: [error], firstRow: 0, rowCount: 4)])
    #expect(log.count == 1)
    #expect(log.shown.count == 2)
    #expect(log.shown.last?.reason.contains("no longer knows whether the 2 rows") == true)
  }

  @Test func chunksComeInTheirOrderAndTheReaderWaits() async throws {
    let channel = BatchChannel()
    let reading = Task.detached {
      try await onOwnThread {
        for line in 0..<200 { try channel.put(self.batch([line])) }
        channel.finish(.success(()))
      }
    }
    var lines: [Int] = []
    while let next = try await channel.next() { lines += next.batch.lines }
    try await reading.value
    #expect(lines == Array(0..<200))
  }

  @Test func aFaultOfTheReaderReachesTheSenderBehindItsChunks() async throws {
    let channel = BatchChannel()
    try channel.put(batch([1]))
    channel.finish(.failure(CommandFault("broken")))
    #expect(try await channel.next()?.batch.lines == [1])
    await #expect(throws: CommandFault("broken")) { try await channel.next() }
  }

  @Test func aReaderThatNobodyListensToStops() async throws {
    let channel = BatchChannel()
    let reading = Task.detached {
      try await onOwnThread { while true { try channel.put(self.batch([1])) } }
    }
    _ = try await channel.next()
    channel.abort()
    await #expect(throws: CancellationError.self) { try await reading.value }
  }

  @Test func rejectsAreWrittenAsCSV() throws {
    let folder = try TestFolder()
    let log = try RejectLog(path: "\(folder.path)/rejects.csv")
    log.add(Reject(file: "a,b.csv", line: 3, attribute: "x", reason: "\"y\" is no Int"))
    log.add(Reject(file: "c", line: nil, attribute: nil, reason: "none"), rows: 5)
    for line in 0..<50 { log.add(Reject(file: "d", line: line, reason: "r")) }
    try log.close()
    #expect(log.count == 56)
    #expect(log.shown.count == CommandLimits.rejectsShown)
    let text = try folder.text("rejects.csv")
    #expect(
      text.hasPrefix(
        "file,line,attribute,reason\n\"a,b.csv\",3,x,\"\"\"y\"\" is no Int\"\nc,,,none\nd,0,,r\n"))
    #expect(text.split(separator: "\n").count == 53)
  }

  @Test func aPipeGivesBackWhatWasLookedAt() throws {
    let folder = try TestFolder()
    let path = try folder.file("a.txt", "0123456789")
    let file = try InputFile("a.txt", path: path)
    #expect(file.byteCount == 10)
    var buffer = [UInt8](repeating: 0, count: 4)
    let first = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
    #expect(first == 4)
    try file.rewind(giving: Array(buffer))
    var all: [UInt8] = []
    while true {
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
      if count == 0 { break }
      all += buffer.prefix(count)
    }
    #expect(String(decoding: all, as: UTF8.self) == "0123456789")
    #expect(throws: CommandFault.self) { try InputFile(folder.path) }
    #expect(throws: CommandFault.self) { try InputFile(folder.path + "/none") }
  }

  static let flight = EntitySchema(
    id: 1, name: "Flight",
    properties: [
      PropertySchema(id: 1, name: "carrier", kind: .attribute(.text), isOptional: false),
      PropertySchema(id: 2, name: "number", kind: .attribute(.int), isOptional: false),
    ], uniqueConstraints: [["carrier", "number"]])

  @Test func keysAreRead() throws {
    #expect(try RowKey("#7", of: Self.flight) == .row(7))
    #expect(try RowKey("UA,15", of: Self.flight) == .key([.text("UA"), .int(15)]))
    #expect(try RowKey("\"U,A\",15", of: Self.flight) == .key([.text("U,A"), .int(15)]))
  }

  @Test(arguments: [
    ("UA", "the key of Flight is carrier,number"), ("UA,x", "number: \"x\" is not"),
    ("#x", "reads like #7"), ("#-1", "reads like #7"), ("\"UA,1", "not closed"),
  ])
  func aKeyThatDoesNotFitIsNamed(_ text: String, _ hint: String) {
    let fault = #expect(throws: CommandFault.self) { try RowKey(text, of: Self.flight) }
    #expect(fault?.description.contains(hint) == true, "\(fault?.description ?? "")")
  }
}
