import RoostImport
import RoostModel
import Testing

@testable import RoostCLI

/// `roost import` against a server in the same process.
@Suite @MainActor struct ImportCommandTests {
  static let csv = """
    carrier,flight,delay,when
    UA,1,5,2013-01-01T10:00:00Z
    AA,2,NA,2013-01-02T10:00:00Z
    UA,1,7,2013-01-01T10:00:00Z
    DL,3,,2013-01-01T10:00:00Z

    """

  @Test func aFileMakesItsEntityAndASecondTimeChangesNothing() async throws {
    let folder = try TestFolder()
    let path = try folder.file("flights.csv", Self.csv)
    try await withServer { url in
      let first = await roost(
        "import", url, path, "--entity", "Flight", "--create", "--key", "carrier,flight", "--null",
        "NA", "--json")
      #expect(first.exitCode == 0, "\(first.errors)")
      #expect(first.errors.contains("created Flight  unique carrier,flight"))
      #expect(first.number("rows") == 4)
      #expect(first.number("accepted") == 4)
      #expect(first.number("rejected") == 0)
      let text =
        "carrier,flight,delay,when\nAA,2,,2013-01-02T10:00:00Z\n"
        + "DL,3,,2013-01-01T10:00:00Z\nUA,1,7,2013-01-01T10:00:00Z\n"
      let query = "Flight sort carrier select carrier, flight, delay, when"
      #expect(await roost("query", url, query, "--csv").output == text)
      let second = await roost(
        "import", url, path, "--entity", "Flight", "--key", "carrier,flight", "--null", "NA")
      #expect(second.exitCode == 0, "\(second.errors)")
      #expect(await roost("query", url, query, "--csv").output == text)
      #expect(
        await roost("query", url, "Flight where when < \"2013-01-02\" && delay + 1 == 8", "--count")
          .output == "1\n")
    }
  }

  @Test func rejectedRowsAreNamedWithFileLineAttributeAndReason() async throws {
    let folder = try TestFolder()
    let path = try folder.file("n.csv", "key,n\na,1\nb,x\n,3\n\"c\nd\",4\ne,5,6\nf,7\n")
    try await withServer { url in
      let outcome = await roost(
        "import", url, path, "--entity", "N", "--create", "--key", "key", "--types", "n=Int",
        "--rejects", "\(folder.path)/rejects.csv", "--json")
      #expect(outcome.exitCode == ExitCode.failed)
      #expect(outcome.number("rows") == 6)
      #expect(outcome.number("accepted") == 3)
      #expect(outcome.number("rejected") == 3)
      let rejects = try folder.text("rejects.csv").split(separator: "\n")
      #expect(rejects.count == 4)
      #expect(rejects[1].hasPrefix("\(path),3,n,\"\"\"x\"\" is not a value of type Int"))
      #expect(rejects[2].hasPrefix("\(path),4,key,"))
      #expect(rejects[3].hasPrefix("\(path),7,,the row has 3 cells, the header 2") == false)
      #expect(rejects[3].contains(",7,,"))
      #expect(outcome.errors.contains("\(path):3: n: \"x\" is not"))
    }
  }

  @Test func theServersRejectionsAreNamedByLineToo() async throws {
    let folder = try TestFolder()
    let schema = try SchemaFile.read(
      try JSONDocument.read(
        Array(
          """
          {"entities": {"A": {"attributes": {"code": "String"}, "unique": ["code"],
            "relationships": {"b": {"toOne": "B?"}}},
           "B": {"attributes": {"code": "String"}, "unique": ["code"]}}}
          """.utf8)))
    let rows = (0..<3_000).map { "a\($0),\($0 == 2_500 ? "none" : "")" }.joined(separator: "\n")
    let path = try folder.file("a.csv", "code,b\n" + rows + "\n")
    try await withServer(schema) { url in
      let outcome = await roost("import", url, path, "--entity", "A", "--key", "code", "--json")
      #expect(outcome.exitCode == ExitCode.failed)
      #expect(outcome.number("accepted") == 2_999)
      #expect(outcome.errors.contains("\(path):2502:"), "\(outcome.errors)")
      let made = await roost(
        "import", url, path, "--entity", "A", "--key", "code", "--create-missing", "--json")
      #expect(made.exitCode == 0)
      #expect(await roost("query", url, "A where b.code == \"none\"", "--count").output == "1\n")
    }
  }

  @Test func conflictsGoAsTheyAreToldTo() async throws {
    let folder = try TestFolder()
    let first = try folder.file("1.csv", "key,n\na,1\nb,2\n")
    let second = try folder.file("2.csv", "key,n\nb,20\nc,30\n")
    for (word, exitCode, text) in [
      ("update", ExitCode.done, "a,1\nb,20\nc,30\n"), ("ignore", ExitCode.done, "a,1\nb,2\nc,30\n"),
      ("fail", ExitCode.failed, "a,1\nb,2\nc,30\n"),
    ] {
      try await withServer { url in
        _ = await roost("import", url, first, "--entity", "N", "--create", "--key", "key")
        let outcome = await roost(
          "import", url, second, "--entity", "N", "--key", "key", "--on-conflict", word)
        #expect(outcome.exitCode == exitCode, "\(word): \(outcome.errors)")
        let rows = await roost("query", url, "N sort key select key, n", "--csv").output
        #expect(rows == "key,n\n" + text, "\(word)")
      }
    }
  }

  @Test func anUpdateChangesOnlyTheColumnsItNames() async throws {
    let folder = try TestFolder()
    let all = try folder.file("all.csv", "key,n,text\na,1,x\nb,2,y\n")
    let part = try folder.file("part.csv", "key,text\na,z\n")
    let lines = try folder.file(
      "more.ndjson", "{\"key\":\"b\",\"n\":9}\n{\"key\":\"a\",\"text\":null}\n")
    try await withServer { url in
      _ = await roost("import", url, all, "--entity", "N", "--create", "--key", "key")
      _ = await roost("import", url, part, "--entity", "N", "--key", "key")
      _ = await roost("import", url, lines, "--entity", "N", "--key", "key")
      let rows = await roost("query", url, "N sort key select key, n, text", "--csv").output
      #expect(rows == "key,n,text\na,1,\nb,9,y\n")
    }
  }

  @Test func manyFilesGoInOverSeveralStreams() async throws {
    let folder = try TestFolder()
    var paths: [String] = []
    for file in 0..<6 {
      let rows = (0..<1_500).map { "f\(file)-\($0),\($0)\n" }.joined()
      paths.append(try folder.file("\(file).csv", "key,n\n" + rows))
    }
    try await withServer { url in
      let captured = CapturedConsole()
      let code = await Roost.run(
        ["import", url] + paths + [
          "--entity", "N", "--create", "--key", "key", "--jobs", "3", "--json",
        ],
        captured.console())
      let outcome = captured.outcome(code)
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
      #expect(outcome.number("accepted") == 9_000)
      #expect(await roost("query", url, "N", "--count").output == "9000\n")
    }
  }

  @Test func nothingIsMadeWhenTheCallIsWrong() async throws {
    let folder = try TestFolder()
    let path = try folder.file("a.csv", "key,n\na,1\n")
    try await withServer { url in
      for (arguments, hint) in [
        (["--entity", "N"], "there is no entity \"N\""),
        (["--entity", "N", "--create", "--key", "kay"], "did you mean \"key\"?"),
        (["--entity", "N", "--create", "--types", "m=Int"], "no column \"m\""),
      ] {
        let captured = CapturedConsole()
        let code = await Roost.run(["import", url, path] + arguments, captured.console())
        #expect(code == ExitCode.wrongCall)
        #expect(captured.outcome(code).errors.contains(hint), "\(captured.outcome(code).errors)")
      }
      #expect(await roost("schema", url).output == "no entities yet\n")
    }
  }

  @Test func aPlansMistakesNameThePlan() async throws {
    let folder = try TestFolder()
    let schema = try SchemaFile.read(
      try JSONDocument.read(Array("{\"entities\":{\"N\":{\"attributes\":{\"n\":\"Int\"}}}}".utf8)))
    try await withServer(schema) { url in
      for (text, hint) in [
        ("{", "plan.json: line 1: not JSON"),
        ("{\"sources\": [{\"files\": \"x\"}]}", "lacks \"entity\""),
        (
          "{\"sources\": [{\"files\": \"x.csv\", \"entity\": \"M\"}]}",
          "plan.json: sources[0]: there is no entity"
        ),
        ("{\"sources\": [{\"files\": \"x.csv\", \"entity\": \"N\"}]}", "x.csv: No such file"),
      ] {
        let path = try folder.file("plan.json", text)
        let outcome = await roost("import", url, path)
        #expect(outcome.exitCode == ExitCode.wrongCall)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
      }
    }
  }
}
