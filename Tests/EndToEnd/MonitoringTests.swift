import Foundation
import Glibc
import RoostClient
import RoostImport
import RoostModel
import RoostServer
import Testing

/// The commands for operators as processes on a terminal, against a server.
@Suite("Monitoring") @MainActor struct MonitoringTests {
  private static let schemaText = """
    {"entities": {"Note": {"attributes": {"key": "String", "n": "Int"}, "unique": ["key"]}}}
    """

  private func schema() throws -> StoreSchema {
    try SchemaFile.read(try JSONDocument.read(Array(Self.schemaText.utf8)))
  }

  /// A client whose import waits for rows until somebody ends it.
  private func importing(_ url: String) async throws -> (client: RoostClient, writer: ImportWriter)
  {
    var options = ClientOptions()
    options.connection.agent = "victim/1"
    let client = try await RoostClient.connect(url, options: options)
    let entity = try #require(try await client.schema().entities.first)
    let descriptor = ImportDescriptor(
      id: UUID(), entity: entity.id, conflict: .update, constraint: nil, onRowError: .skip,
      source: ImportDescriptor.Source(name: "notes.csv", byteCount: 1_000))
    return (client, client.openImport(descriptor, onReport: nil))
  }

  @Test func topDrawsSortsEndsAnOperationAndRestoresTheTerminal() async throws {
    try await Served.run(schema: try schema()) { served in
      let (client, writer) = try await importing(served.url)
      defer { client.close() }
      let terminal = try PseudoTerminal(["top", served.url], columns: 80, rows: 24)
      #expect(PseudoTerminal.isOrdinary(terminal.settingsBefore))
      let first = try await terminal.until("victim/1")
      #expect(first.contains("requests▾"))
      #expect(terminal.text.contains("\u{1B}[?1049h"))
      #expect(!PseudoTerminal.isOrdinary(terminal.settings))

      try terminal.type("\u{1B}[C")
      try await terminal.until("calls▾")
      try terminal.type("r")
      try await terminal.until("calls▴")

      try terminal.type("2")
      try await terminal.until("notes.csv")
      terminal.resize(columns: 140, rows: 40)
      try await terminal.until("agent")

      try terminal.type("\u{1B}[Bk")
      let question = try await terminal.until("(y/n)?")
      #expect(question.contains("end operation c#"))
      #expect(question.contains(" Import (y/n)?"))
      try terminal.type("y")
      try await terminal.until("was ended")
      let error = await #expect(throws: ClientError.self) { try await writer.finish() }
      #expect(error?.detail == .endedByOperator)
      try await terminal.until("no operations")

      try terminal.type("q")
      #expect(try await terminal.ended() == 0)
      #expect(terminal.text.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
      #expect(PseudoTerminal.isOrdinary(terminal.settings))
    }
  }

  @Test(arguments: [(SIGINT, 0), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func topGivesTheTerminalBackWhenASignalEndsIt(_ signal: Int32, _ code: Int32) async throws {
    try await Served.run { served in
      let terminal = try PseudoTerminal(["top", served.url], columns: 80, rows: 24)
      try await terminal.until("1 clients")
      #expect(!PseudoTerminal.isOrdinary(terminal.settings))
      terminal.signal(signal)
      #expect(try await terminal.ended() == code)
      #expect(terminal.text.hasSuffix("\u{1B}[?1049l"))
      #expect(PseudoTerminal.isOrdinary(terminal.settings))
    }
  }

  @Test func topSaysThatTheServerIsGoneAndGoesOn() async throws {
    let served = try Served(schema: try schema())
    let terminal = try PseudoTerminal(["top", served.url], columns: 100, rows: 24)
    try await terminal.until("c#")
    await served.server.stop()
    try await terminal.until("no answer: ")
    let again = try Served(port: UInt16(served.server.port), schema: try schema())
    try terminal.type(" ")
    try await terminal.until("the keys again") { $0.contains("q quit") }
    try terminal.type("\u{3}")
    #expect(try await terminal.ended() == 0)
    await again.server.stop()
  }

  @Test func watchSurvivesARestartAndEndsByCtrlC() async throws {
    let served = try Served()
    let terminal = try PseudoTerminal(
      ["stats", served.url, "--watch", "0.1"], columns: 120, rows: 24)
    try await terminal.until("a row", ofText: true) { $0.contains("0%") || $0.contains("MB") }
    #expect(terminal.text.contains("time"))
    await served.server.stop()
    try await terminal.until("the loss", ofText: true) { $0.contains("no answer: ") }
    let again = try Served(port: UInt16(served.server.port))
    try await terminal.until("the restart", ofText: true) { $0.contains("started anew") }
    terminal.signal(SIGINT)
    #expect(try await terminal.ended() == 0)
    #expect(PseudoTerminal.isOrdinary(terminal.settings))
    await again.server.stop()
  }

  @Test func topWithoutAServerIsExitCode3AndTouchesNoTerminal() async throws {
    let terminal = try PseudoTerminal(["top", "roost://127.0.0.1:1"], columns: 80, rows: 24)
    #expect(try await terminal.ended() == 3)
    #expect(terminal.text.contains("nothing listens"))
    #expect(!terminal.text.contains("\u{1B}[?1049h"))
  }
}
