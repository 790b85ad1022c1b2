import RoostImport
import RoostModel
import Testing

@Suite struct RowStreamTests {
  private func csv(
    _ key: [String] = ["ident"], ignoresUnknown: Bool = false
  ) throws -> CSVRowStream {
    let target = try ImportTarget(schema: testSchema, entity: "Flight", key: key)
    let binding = DirectBinding(target, ignoresUnknown: ignoresUnknown)
    return CSVRowStream(target, format: CSVFormat(nullWords: ["NA"])) {
      (header) throws(BindingFault) in try binding.header(header)
    }
  }

  private func json(_ layout: JSONRecordReader.Layout = .lines) throws -> JSONRowStream {
    let target = try ImportTarget(schema: testSchema, entity: "Flight", key: ["ident"])
    return JSONRowStream(target, layout: layout, bound: try DirectBinding(target).fields())
  }

  @Test func rowsArePackedInTheHeadersOrder() throws {
    let sink = try csv().readAll(
      "distance,ident,actualOff,speed\n100,UA1,2001-01-01T00:00:10Z,1.5\n200,\"\",NA,\n")
    #expect(sink.faults.isEmpty)
    #expect(sink.batches.map(\.rows.columns) == [[3, 1, 2, 4]])
    #expect(sink.batches.map(\.rows.entity) == [1])
    #expect(sink.batches.map(\.rows.schemaVersion) == [3])
    #expect(
      try sink.rows() == [
        [.int(100), .text("UA1"), .date(10), .double(1.5)], [.int(200), .text(""), .null, .null],
      ])
    #expect(sink.lines == [2, 3])
  }

  @Test func aQuotedWordForNilIsText() throws {
    let sink = try csv().readAll("ident,distance\n\"NA\",1\nNA,2\n")
    #expect(try sink.rows() == [[.text("NA"), .int(1)]])
    #expect(sink.faults.map(\.line) == [3])
    #expect(sink.faults.first?.attribute == "ident")
  }

  @Test func aBadRowIsNamedAndLeavesNothingBehind() throws {
    let sink = try csv().readAll(
      "ident,distance\nUA1,1\nUA2,far\nUA3\nUA4,4\nUA5,\n\"UA6\"x,6\nUA7,7\n")
    #expect(
      try sink.rows() == [
        [.text("UA1"), .int(1)], [.text("UA4"), .int(4)], [.text("UA7"), .int(7)],
      ])
    #expect(sink.lines == [2, 5, 8])
    #expect(sink.faults.map(\.line) == [3, 4, 6, 7])
    #expect(sink.faults.map(\.attribute) == ["distance", nil, "distance", nil])
    #expect(sink.faults[1].reason == "the row has 1 cells, the header 2")
  }

  @Test func chunksAreBoundedInRowsAndBytes() throws {
    let many = "ident,distance\n" + (0..<2_500).map { "F\($0),\($0)\n" }.joined()
    let sink = try csv().readAll(many, step: 1_000)
    #expect(sink.batches.map(\.rows.rowCount) == [1_000, 1_000, 500])
    #expect(try sink.rows().last == [.text("F2499"), .int(2_499)])
    let long = String(repeating: "x", count: 50_000)
    let wide = try csv().readAll("ident,distance\n" + (0..<6).map { "\($0)\(long),1\n" }.joined())
    #expect(wide.batches.map(\.rows.rowCount) == [3, 3])
  }

  @Test(arguments: [
    ("idnet,distance\n", "did you mean \"ident\"?"),
    ("distance\n", "lacks \"ident\""), ("ident,ident,distance\n", "twice"), ("", "empty"),
    ("ident\rdistance\rUA1\r1", "CR alone"), ("\"ident\n", "not closed"),
  ])
  func aHeaderThatDoesNotFitIsAWrongCall(_ text: String, _ hint: String) throws {
    let stream = try csv()
    let fault = #expect(throws: BindingFault.self) { try stream.readAll(text) }
    #expect(fault?.description.contains(hint) == true, "\(fault?.description ?? "")")
  }

  @Test func aToManyIsNoColumn() throws {
    let binding = DirectBinding(try ImportTarget(schema: testSchema, entity: "Airport"))
    let fault = #expect(throws: BindingFault.self) { try binding.header(["icao", "flights"]) }
    #expect(fault?.description.contains("import its other side") == true)
  }

  @Test func unknownColumnsCanBePassedOver() throws {
    let sink = try csv(ignoresUnknown: true).readAll("x,ident,y,distance\n1,UA1,2,3\n")
    #expect(try sink.rows() == [[.text("UA1"), .int(3)]])
  }

  @Test func aToOneIsNamedByItsKey() throws {
    let sink = try csv().readAll("ident,distance,origin\nUA1,1,KSFO\nUA2,2,\n")
    let key = KeyReference(
      entity: 2, constraint: [1], values: [.text("KSFO")], createsMissing: false)
    #expect(
      try sink.rows() == [
        [.text("UA1"), .int(1), .key(key)], [.text("UA2"), .int(2), .null],
      ])
  }

  @Test func recordsNameTheirColumnsAndKeepTheirOrder() throws {
    let sink = try json().readAll(
      """
      {"ident":"A","distance":1}
      {"distance":2,"ident":"B"}
      {"ident":"A","speed":2}
      {"ident":"A","speed":null}
      {"ident":"C","distance":3}
      """)
    #expect(sink.faults.isEmpty)
    #expect(sink.batches.map(\.rows.columns) == [[1, 3], [1, 4], [1, 3]])
    #expect(
      try sink.rows() == [
        [.text("A"), .int(1)], [.text("B"), .int(2)], [.text("A"), .double(2)],
        [.text("A"), .null],
        [.text("C"), .int(3)],
      ])
    #expect(sink.lines == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [
    ("{\"ident\":\"A\",\"distanse\":1}", "distanse", "did you mean \"distance\"?"),
    ("{\"ident\":\"A\",\"distance\":\"1\"}", "distance", "a string, 1, is not a value of type Int"),
    ("{\"ident\":\"A\",\"distance\":1.5}", "distance", "Int"),
    ("{\"ident\":\"A\",\"distance\":null}", "distance", "required"),
    ("{\"distance\":1}", "ident", "part of the key"),
    ("{\"ident\":null}", "ident", "required"),
    ("{\"ident\":\"A\",\"actualOff\":1}", "actualOff", "as a string"),
    ("{\"ident\":\"A\",\"speed\":true}", "speed", "Double"),
    ("{\"ident\":[1]}", "ident", "an array"),
  ])
  func aBadRecordIsNamed(_ line: String, _ attribute: String, _ hint: String) throws {
    let sink = try json().readAll(line + "\n{\"ident\":\"Z\"}\n")
    #expect(sink.faults.map(\.attribute) == [attribute])
    #expect(sink.faults.first?.reason.contains(hint) == true, "\(sink.faults)")
    #expect(try sink.rows() == [[.text("Z")]])
    #expect(sink.lines == [2])
  }

  @Test func jsonNumbersAndEscapesAreExact() throws {
    let sink = try json().readAll(
      "{\"ident\":\"\\ud83d\\ude00\\n\\/\\u00e9\",\"distance\":9007199254740993,\"speed\":1e22}\n"
        + "{\"ident\":12.50,\"distance\":5.0,\"speed\":\"NaN\"}\n")
    #expect(sink.faults.isEmpty)
    #expect(
      try sink.rows() == [
        [.text("😀\n/é"), .int(9_007_199_254_740_993), .double(1e22)],
        [.text("12.50"), .int(5), .double(.nan)],
      ])
  }

  @Test func aBrokenDocumentGivesWhatStoodBefore() throws {
    let sink = try json(.document(records: [])).readAll(
      "[{\"ident\":\"A\",\"distance\":1},\n{\"ident\":\"B\",\"distance\":")
    #expect(try sink.rows() == [[.text("A"), .int(1)]])
    #expect(sink.faults.map(\.isFatal) == [true])
    #expect(sink.faults.map(\.line) == [2])
  }

  @Test func recordsThatAreNowhereAreRemarkedOn() throws {
    let stream = try json(.document(records: [FieldPath("arivals")]))
    let sink = try stream.readAll("{\"arrivals\":[],\"links\":{}}")
    #expect(sink.batches.isEmpty)
    #expect(stream.remarks == ["no records at \"arivals\"; it has: arrivals, links"])
  }
}
