import RoostImport
import RoostModel
import Testing

@Suite struct PlanTests {
  private func plan(_ text: String) throws -> ImportPlan {
    try PlanReader.read(try JSONDocument.read(Array(text.utf8)))
  }

  static let enroute = """
    {"sources": [{"files": ["SFO4.json", "ORD1.json"], "records": ["arrivals", "departures"],
      "entity": "Flight", "key": ["ident"],
      "map": {"ident": "ident", "actualOff": {"coalesce": ["actual_off", "estimated_off"]},
              "distance": {"path": "route_distance", "else": 0}, "speed": {"value": 1.5},
              "origin": {"entity": "Airport", "key": {"icao": "origin.code"},
                         "missing": "create"}}}]}
    """

  @Test func aPlanIsReadWhole() throws {
    let source = try #require(try plan(Self.enroute).sources.first)
    #expect(source.files == ["SFO4.json", "ORD1.json"])
    #expect(source.records == [FieldPath("arrivals"), FieldPath("departures")])
    #expect(
      source.mappings.map(\.attribute) == ["ident", "actualOff", "distance", "speed", "origin"])
    #expect(source.conflict == .update)
  }

  @Test func aPlanRunsAsItSays() throws {
    let source = try #require(try plan(Self.enroute).sources.first)
    let binding = try PlanBinding(source, schema: testSchema)
    let text = """
      {"arrivals": [
        {"ident": "A", "actual_off": null, "estimated_off": "2001-01-01T00:00:05Z",
         "route_distance": 7, "origin": {"code": "KSFO"}, "other": 1},
        {"ident": "B", "route_distance": null, "origin": null},
        {"ident": null}], "departures": []}
      """
    for step in [1, 100, Int.max] {
      let sink = try binding.stream("x.json").readAll(text, step: step)
      let key = KeyReference(
        entity: 2, constraint: [1], values: [.text("KSFO")], createsMissing: true)
      #expect(sink.batches.map(\.rows.columns) == [[1, 2, 3, 4, 5]])
      #expect(
        try sink.rows() == [
          [.text("A"), .date(5), .int(7), .double(1.5), .key(key)],
          [.text("B"), .null, .int(0), .double(1.5), .null],
        ])
      #expect(sink.faults.map(\.attribute) == ["ident"])
    }
  }

  @Test func aPlanMapsCSVByHeader() throws {
    let source = try #require(
      try plan(
        """
        {"sources": [{"files": "f.csv", "entity": "Flight", "key": "ident", "null": "NA",
          "delimiter": ";", "map": {"ident": "no", "distance": {"path": "miles", "else": 1}}}]}
        """
      ).sources.first)
    let binding = try PlanBinding(source, schema: testSchema)
    let sink = try binding.stream("f.csv").readAll("miles;x;no\n5;y;A\nNA;y;B\n")
    #expect(try sink.rows() == [[.text("A"), .int(5)], [.text("B"), .int(1)]])
    let fault = #expect(throws: BindingFault.self) {
      try binding.stream("f.csv").readAll("mile;no\n")
    }
    #expect(fault?.description.contains("did you mean \"mile\"?") == true)
  }

  @Test(arguments: [
    ("{}", "the plan: lacks \"sources\""), ("[]", "the plan: should be an object, not an array"),
    ("{\"sources\":[]}", "at least one"), ("{\"sources\":[{}]}", "sources[0]: lacks \"files\""),
    ("{\"source\":[]}", "did you mean \"sources\"?"),
    ("{\"sources\":[{\"files\":[1],\"entity\":\"A\"}]}", "sources[0].files[0]: should be a string"),
    ("{\"sources\":[{\"files\":[],\"entity\":\"A\"}]}", "at least one file"),
    (
      "{\"sources\":[{\"files\":\"a\",\"entity\":\"A\",\"onConflict\":\"merge\"}]}",
      "\"update\", \"ignore\", \"fail\""
    ),
    ("{\"sources\":[{\"files\":\"a\",\"entity\":\"A\",\"mapp\":{}}]}", "did you mean \"map\"?"),
    (
      "{\"sources\":[{\"files\":\"a\",\"entity\":\"A\",\"map\":{\"x\":1}}]}",
      "sources[0].map.x: should be a path"
    ),
    ("{\"sources\":[{\"files\":\"a\",\"entity\":\"A\",\"map\":{\"x\":{}}}]}", "needs \"path\""),
    (
      "{\"sources\":[{\"files\":\"a\",\"entity\":\"A\",\"map\":{\"x\":{\"value\":1,\"else\":2}}}]}",
      "stands alone"
    ),
    (
      "{\"sources\":[{\"files\":\"a\",\"entity\":\"A\",\"map\":{\"x\":{\"entity\":\"B\"}}}]}",
      "lacks \"key\""
    ),
    (
      "{\"sources\":[{\"files\":\"a\",\"entity\":\"A\","
        + "\"map\":{\"x\":{\"entity\":\"B\",\"key\":{},\"missing\":\"make\"}}}]}",
      "\"reject\", \"create\""
    ),
  ])
  func aMistakeIsNamedWithItsPlace(_ text: String, _ hint: String) {
    let fault = #expect(throws: BindingFault.self) { try plan(text) }
    #expect(fault?.description.contains(hint) == true, "\(fault?.description ?? "")")
  }

  @Test(arguments: [
    ("\"entity\":\"Fligt\"", "did you mean \"Flight\"?"),
    (
      "\"entity\":\"Flight\",\"key\":\"distance\"",
      "no unique constraint on distance; it has: ident"
    ),
    ("\"entity\":\"Flight\",\"key\":\"idnt\"", "did you mean \"ident\"?"),
    ("\"entity\":\"Flight\",\"map\":{\"speeed\":\"x\"}", "did you mean \"speed\"?"),
    ("\"entity\":\"Flight\",\"map\":{\"origin\":\"x\"}", "a relationship needs"),
    ("\"entity\":\"Flight\",\"key\":\"ident\",\"map\":{\"speed\":\"x\"}", "map lacks \"ident\""),
    (
      "\"entity\":\"Flight\",\"map\":{\"speed\":{\"path\":\"x\",\"else\":\"fast\"}}",
      "map.speed: a string, fast"
    ),
    (
      "\"entity\":\"Flight\","
        + "\"map\":{\"origin\":{\"entity\":\"Airline\",\"key\":{\"icao\":\"x\"}}}",
      "leads to Airport"
    ),
    (
      "\"entity\":\"Flight\","
        + "\"map\":{\"origin\":{\"entity\":\"Airport\",\"key\":{\"city\":\"x\"}}}",
      "it has: icao"
    ),
    ("\"entity\":\"Airport\",\"map\":{\"flights\":\"x\"}", "no attribute of Airport"),
  ])
  func whatTheSchemaLacksIsNamed(_ source: String, _ hint: String) throws {
    let source = try #require(try plan("{\"sources\":[{\"files\":\"a\",\(source)}]}").sources.first)
    let fault = #expect(throws: BindingFault.self) { try PlanBinding(source, schema: testSchema) }
    #expect(fault?.description.contains(hint) == true, "\(fault?.description ?? "")")
  }
}
