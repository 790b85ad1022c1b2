import RoostImport
import RoostModel
import Testing

@testable import RoostCLI

/// Commands against a server in the same process.
@Suite @MainActor struct CommandTests {
  static let schemaText = """
    {"entities": {
      "Flight": {
        "attributes": {"ident": "String", "miles": "Int?", "off": "Date?"},
        "relationships": {"origin": {"toOne": "Airport?", "inverse": "flights"}},
        "unique": ["ident"]},
      "Airport": {
        "attributes": {"icao": "String", "city": "String?"},
        "relationships": {
          "flights": {"toMany": "Flight", "inverse": "origin", "onDelete": "cascade"}},
        "unique": ["icao"]},
      "Note": {"attributes": {"text": "String"}}}}
    """

  private func schema() throws -> StoreSchema {
    try SchemaFile.read(try JSONDocument.read(Array(Self.schemaText.utf8)))
  }

  /// Wrong calls that only the schema shows end as those that show at once.
  @Test func tooManySortKeysAndDoubledKeysAreWrongCalls() async throws {
    let folder = try TestFolder()
    let file = try folder.file("n.csv", "key,n\na,1\n")
    try await withServer { url in
      _ = await roost("import", url, file, "--entity", "N", "--create", "--key", "key")
      let sorted = (0...Limits.sortKeysMax).map { "n + \($0)" }.joined(separator: ", ")
      let query = await roost("query", url, "N sort \(sorted)")
      #expect(query.exitCode == ExitCode.wrongCall, "\(query.errors)")
      #expect(query.errors.contains("at most \(Limits.sortKeysMax)"))
      let put = await roost("put", url, "N", "{\"key\":\"b\",\"n\":1,\"n\":2}")
      #expect(put.exitCode == ExitCode.wrongCall, "\(put.errors)")
      #expect(put.errors.contains("\"n\" is named twice"))
      #expect(await roost("query", url, "N", "--count").output == "1\n")
    }
  }

  @Test func rowsArePutFoundChangedAndDeleted() async throws {
    try await withServer(try schema()) { url in
      let put = await roost("put", url, "Airport", "{\"icao\": \"KJFK\", \"city\": \"New York\"}")
      #expect(put.output == "inserted Airport #1\n")
      let flights = await roost(
        "put", url, "Flight",
        "[{\"ident\":\"A\",\"origin\":\"KJFK\"},"
          + "{\"ident\":\"B\",\"miles\":5,\"origin\":{\"icao\":\"KJFK\"}}]"
      )
      #expect(flights.output == "inserted Flight #1\ninserted Flight #2\n")
      _ = await roost("put", url, "Airport", "{\"icao\": \"KJFK\", \"city\": \"NYC\"}")
      let query = await roost(
        "query", url, "Flight sort ident select ident, miles, origin, origin.city", "--csv")
      #expect(query.output == "ident,miles,origin,origin.city\nA,,KJFK,NYC\nB,5,KJFK,NYC\n")
      let get = await roost("get", url, "Flight", "B", "#1", "--ndjson")
      #expect(
        get.output == """
          {"id":2,"ident":"B","miles":5,"off":null,"origin":"KJFK"}
          {"id":1,"ident":"A","miles":null,"off":null,"origin":"KJFK"}

          """)
      // The airport's flights go with it: the second of them is gone when its turn comes.
      #expect(await roost("delete", url, "Airport", "--yes").output == "1 row deleted\n")
      #expect(await roost("query", url, "Flight", "--count").output == "0\n")
    }
  }

  @Test func oneRowReadsFromTopToBottom() async throws {
    try await withServer(try schema()) { url in
      _ = await roost("put", url, "Flight", "{\"ident\": \"A\", \"off\": \"2013-01-01T10:00:00Z\"}")
      #expect(
        await roost("get", url, "Flight", "A").output == """
          id      1
          ident   A
          miles   nil
          off     2013-01-01T10:00:00Z
          origin  nil

          """)
    }
  }

  @Test func aRowWithoutAKeyIsNamedByNumber() async throws {
    try await withServer(try schema()) { url in
      _ = await roost("put", url, "Note", "{\"text\": \"x\"}")
      _ = await roost("put", url, "Note", "{\"text\": \"x\"}")
      _ = await roost("put", url, "Note", "{\"text\": \"y\"}", "--row", "2")
      #expect(await roost("query", url, "Note", "--csv").output == "id,text\n1,x\n2,y\n")
      #expect(await roost("get", url, "Note", "x").errors.contains("has no key"))
    }
  }

  @Test func deletingAsksOrIsSure() async throws {
    try await withServer(try schema()) { url in
      _ = await roost("put", url, "Note", "{\"text\": \"x\"}")
      let refused = await roost("delete", url, "Note")
      #expect(refused.exitCode == ExitCode.wrongCall)
      #expect(refused.errors.contains("would delete 1 row of Note; --yes"))
      #expect(await roost("query", url, "Note", "--count").output == "1\n")
    }
  }

  @Test func whatIsNotThereIsExitCode1() async throws {
    try await withServer(try schema()) { url in
      let missing = await roost("get", url, "Flight", "A")
      #expect(missing.exitCode == ExitCode.failed)
      #expect(missing.errors == "roost: there is no Flight A\n")
      #expect(await roost("put", url, "Note", "{\"text\":\"x\"}", "--row", "9").exitCode == 1)
    }
  }

  @Test(arguments: [
    (["query", "Fligt"], "did you mean"),
    (["query", "Flight where iden == \"A\""], "did you mean"),
    (["get", "Fligt", "A"], "did you mean \"Flight\"?"),
    (["put", "Flight", "{\"idnt\": \"A\"}"], "did you mean \"ident\"?"),
    (["put", "Flight", "{\"ident\": \"A\", \"miles\": \"far\"}"], "miles: a string"),
    (["put", "Flight", "{\"miles\": 1}"], "lacks its key: ident"),
    (["put", "Flight", "{"], "line 1"),
    (["put", "Flight", "[1]"], "a row is a JSON object"),
    (["put", "Airport", "{\"icao\": \"A\", \"flights\": []}"], "put the other side"),
    (
      ["put", "Flight", "{\"ident\":\"A\",\"origin\":{\"city\":\"x\"}}"],
      "no unique constraint on city"
    ),
  ])
  func mistakesAreNamed(_ arguments: [String], _ hint: String) async throws {
    try await withServer(try schema()) { url in
      let captured = CapturedConsole()
      let all = [arguments[0], url] + arguments.dropFirst()
      let code = await Roost.run(all, captured.console())
      #expect(code == ExitCode.wrongCall)
      #expect(captured.outcome(code).errors.contains(hint), "\(captured.outcome(code).errors)")
    }
  }

  @Test func theSchemaPrintsAsAFileThatServes() async throws {
    let schema = try schema()
    try await withServer(schema) { url in
      let printed = await roost("schema", url, "--json").output
      let again = try SchemaFile.read(try JSONDocument.read(Array(printed.utf8)))
      #expect(again.entities.map(\.name) == schema.entities.map(\.name))
      #expect(again.entities.map(\.properties.count) == schema.entities.map(\.properties.count))
      let text = await roost("schema", url).output
      #expect(text.contains("Flight  unique ident\n  ident   String\n  miles   Int?\n"))
      #expect(text.contains("flights  → [Flight]  inverse origin  on delete cascade"))
    }
  }

  @Test func statsCountRows() async throws {
    try await withServer(try schema()) { url in
      _ = await roost("put", url, "Note", "{\"text\": \"x\"}")
      let stats = try JSONDocument.read(Array(await roost("stats", url, "--json").output.utf8))
      #expect(stats["rows"]?["Note"] == .number("1"))
      #expect(await roost("stats", url, "all").output.contains("rowsInserted"))
    }
  }
}
