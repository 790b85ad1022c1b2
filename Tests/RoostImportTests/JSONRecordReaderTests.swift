import RoostImport
import Testing

/// What reading a JSON text gave: the fields of each record as text, lines, faults.
private struct JSONOutcome: Hashable {
  var records: [[String?]] = []
  var lines: [Int] = []
  var faults: [InputFault] = []
  var missing: [String] = []

  init(
    _ text: String, _ layout: JSONRecordReader.Layout, _ fields: [String], step: Int = .max
  ) {
    let reader = JSONRecordReader(layout, fields: fields.map { FieldPath($0) })
    feed(Array(text.utf8), step: step) { portion, isLast in
      if faults.contains(where: \.isFatal) { return }
      do throws(InputFault) { try reader.append(portion) } catch { faults.append(error) }
      if isLast { reader.finish() }
      drain(reader)
    }
    missing = reader.missingRecords.paths.map(\.description)
  }

  private mutating func drain(_ reader: JSONRecordReader) {
    while true {
      do throws(InputFault) {
        guard try reader.next() else { return }
        lines.append(reader.line)
        records.append(
          reader.slots.map { slot in
            switch slot.kind {
            case .absent: nil
            case .null: "null"
            default: String(decoding: reader.bytes(of: slot), as: UTF8.self)
            }
          })
      } catch {
        faults.append(error)
        if error.isFatal { return }
      }
    }
  }
}

private func document(_ records: String...) -> JSONRecordReader.Layout {
  .document(records: records.map { FieldPath($0) })
}

@Suite struct JSONRecordReaderTests {
  static let feed = """
    {
      "links": {"next": "/a?b=\\"c\\"", "list": [[1, 2], {"arrivals": [{"ident": "no"}]}]},
      "arrivals": [
        {"ident": "UAL1", "origin": {"code": "KSFO", "x": [1]}, "n": -1.5e3},
        {"ident": "UAL2", "origin": null, "n": 7}
      ],
      "departures": [{"n": 1, "ident": "SKW\\u00e9\\ud83d\\ude00"}],
      "scheduled": null,
      "num_pages": 3
    }
    """

  @Test func findsRecordsByPath() {
    let outcome = JSONOutcome(
      Self.feed, document("arrivals", "departures", "scheduled"), ["ident", "origin.code", "n"])
    #expect(
      outcome.records == [
        ["UAL1", "KSFO", "-1.5e3"], ["UAL2", nil, "7"], ["SKW\\u00e9\\ud83d\\ude00", nil, "1"],
      ])
    #expect(outcome.lines == [4, 5, 7])
    #expect(outcome.faults.isEmpty)
    #expect(outcome.missing.isEmpty)
  }

  @Test func readsTheSameHoweverTheBytesAreCut() {
    let layout = document("arrivals", "departures", "nowhere")
    let whole = JSONOutcome(Self.feed, layout, ["ident", "origin"])
    #expect(whole.records.count == 3)
    #expect(whole.missing == ["nowhere"])
    for step in 1...Self.feed.utf8.count {
      #expect(JSONOutcome(Self.feed, layout, ["ident", "origin"], step: step) == whole)
    }
  }

  @Test func theRootIsAnArrayOfRecordsOrOneRecord() {
    #expect(JSONOutcome("[{\"a\":1},{\"a\":2}]", document(), ["a"]).records == [["1"], ["2"]])
    #expect(JSONOutcome(" {\"a\":1} ", document(), ["a"]).records == [["1"]])
    #expect(JSONOutcome("[]", document(), ["a"]).records.isEmpty)
    #expect(JSONOutcome("\u{FEFF}[{\"a\":1}]", document(), ["a"]).records == [["1"]])
  }

  @Test func deeperPathsAndObjectsAsRecords() {
    let text = "{\"a\":{\"b\":[{\"x\":1}],\"c\":{\"x\":2}},\"b\":[{\"x\":3}]}"
    #expect(JSONOutcome(text, document("a.b", "a.c"), ["x"]).records == [["1"], ["2"]])
  }

  @Test func theLastOfEqualKeysCounts() {
    #expect(JSONOutcome("[{\"a\":1,\"a\":2}]", document(), ["a"]).records == [["2"]])
  }

  @Test func keysWithEscapesAndDotsAreFound() {
    let text = "[{\"\\u0061.b\": 1, \"a\": {\"b\": 2}}]"
    #expect(JSONOutcome(text, document(), ["a\\.b", "a.b"]).records == [["1", "2"]])
  }

  @Test func aPathMayEndAboveAnother() {
    let outcome = JSONOutcome("[{\"o\":{\"c\":1}},{\"o\":5}]", document(), ["o", "o.c"])
    #expect(outcome.records == [["{\"c\":1}", "1"], ["5", nil]])
  }

  @Test func aRecordThatIsNoObjectSpoilsItselfOnly() {
    let outcome = JSONOutcome("[{\"a\":1},\n3,\n{\"a\":2}]", document(), ["a"])
    #expect(outcome.records == [["1"], ["2"]])
    #expect(outcome.faults.map(\.line) == [2])
    #expect(outcome.faults.first?.reason == "the record is a number, not an object")
  }

  static let broken: [String] = [
    "", "[", "[{", "[{\"a\"", "[{\"a\":", "[{\"a\":1", "[{\"a\":1}", "[{\"a\":1},", "[{\"a\":1},]",
    "[{\"a\":1,}]", "[{a:1}]", "[{\"a\" 1}]", "[{\"a\":1} {\"a\":2}]", "[{\"a\":01}]",
    "[{\"a\":1.}]", "[{\"a\":.5}]", "[{\"a\":1e}]", "[{\"a\":+1}]", "[{\"a\":NaN}]",
    "[{\"a\":tru}]", "[{\"a\":nulll}]", "[{\"a\":\"\\x\"}]", "[{\"a\":\"\\u12G4\"}]",
    "[{\"a\":\"\\ud800\"}]", "[{\"a\":\"\\ud800\\u0041\"}]", "[{\"a\":\"\\udc00\"}]",
    "[{\"a\":\"line\nbreak\"}]", "[{\"a\":'x'}]", "[{\"a\":1}]]", "[{\"a\":1}] x",
    "{\"a\":1}{\"a\":2}",
    "]", "5", "\"a\"", "[{\"a\":1}}",
  ]

  @Test(arguments: broken)
  func brokenTextsAreFaultsAtEveryCut(_ text: String) {
    let whole = JSONOutcome(text, document(), ["a"])
    #expect(whole.faults.count == 1, "\(text)")
    #expect(whole.faults.first?.isFatal == true)
    for step in 1...max(1, text.utf8.count) {
      let cut = JSONOutcome(text, document(), ["a"], step: step)
      #expect(cut.records == whole.records, "\(text) in portions of \(step)")
      #expect(cut.faults.count == 1, "\(text) in portions of \(step)")
    }
  }

  @Test func nestingIsBounded() {
    let deep = ImportLimits.jsonDepthMax + 1
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let value =
        String(repeating: open, count: deep) + "1" + String(repeating: close, count: deep)
      let inside = JSONOutcome("[{\"a\":\(value)}]", document(), ["a"])
      #expect(inside.faults.first?.reason.contains("deeper than 64") == true)
      let outside = JSONOutcome("{\"x\":\(value)}", document("records"), ["a"])
      #expect(outside.faults.first?.reason.contains("deeper than 64") == true)
    }
  }

  @Test func bytesThatAreNotUTF8AreAFault() throws {
    let reader = JSONRecordReader(.lines, fields: [FieldPath("a")])
    let bytes = Array("{\"a\":\"x".utf8) + [0xFF] + Array("\"}\n{\"a\":1}\n".utf8)
    try bytes.withUnsafeBytes { try reader.append($0) }
    reader.finish()
    #expect(throws: InputFault.self) { try reader.next() }
    #expect(try reader.next())
  }

  @Test func linesAreRecordsAndABadLineSpoilsItselfOnly() {
    let text = """
      {"a":1}

      {"a":2
      {"a":3} x
      [1]
      {"a":4}\r
      {"a":"\\ud800"}
        {"a":5}
      """
    let whole = JSONOutcome(text, .lines, ["a"])
    #expect(whole.records == [["1"], ["4"], ["5"]])
    #expect(whole.lines == [1, 6, 8])
    #expect(whole.faults.map(\.line) == [3, 4, 5, 7])
    #expect(whole.faults.allSatisfy { !$0.isFatal })
    for step in 1...text.utf8.count {
      #expect(JSONOutcome(text, .lines, ["a"], step: step) == whole)
    }
  }

  @Test func documentsKeepOrderNumbersAndText() throws {
    let value = try JSONDocument.read(Array("{\"b\":[1.50,\"\\n\\u0001\"],\"a\":{}}".utf8))
    #expect(value["b"] == .array([.number("1.50"), .string("\n\u{1}")]))
    #expect(value.canonicalText == "{\"a\":{},\"b\":[1.50,\"\\n\\u0001\"]}")
    let fault = #expect(throws: InputFault.self) {
      try JSONDocument.read(Array("{\n\"a\":\n!}".utf8))
    }
    #expect(fault?.line == 3)
  }

  @Test(arguments: [UInt64(31), 32, 33, 34])
  func randomBytesNeverTrapAndReadTheSameHoweverTheyAreCut(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "1", "-", "e", "null", " ", "\n",
    ]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0..<20, using: &random))
        .map { _ in tokens.randomElement(using: &random) ?? "" }.joined()
      let whole = JSONOutcome("[{" + text, document(), ["a"])
      for step in [1, 3] {
        let cut = JSONOutcome("[{" + text, document(), ["a"], step: step)
        #expect(cut.records == whole.records, "seed \(seed): \(text)")
        #expect(cut.faults.map(\.isFatal) == whole.faults.map(\.isFatal), "seed \(seed): \(text)")
      }
    }
  }
}
