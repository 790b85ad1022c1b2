import RoostImport
import RoostModel
import Testing

@Suite struct TypeGuessTests {
  @Test(
    arguments: [
      (["1", "2", "-3"], AttributeType.int), (["0", "10"], .int), (["1", "2.5"], .double),
      (["1e5"], .double), (["1", "nan"], .double), (["nan"], .text), (["007", "12"], .text),
      (["-07"], .text), (["+49"], .text), (["0.5", "-0.5"], .double), (["true", "FALSE"], .bool),
      (["true", "1"], .text), (["2013-01-01", "2013-01-01T10:00:00Z"], .date),
      (["2013-01-01", "soon"], .text), (["2013"], .int), ([], .text), (["", "1"], .text),
      (["9223372036854775807"], .int), (["9223372036854775808"], .text),
      (["1.5", "9223372036854775808"], .text), (["1", "x", "2"], .text), (["yes"], .text),
    ] as [([String], AttributeType)])
  func theNarrowestTypeThatFits(_ cells: [String], _ type: AttributeType) {
    var guess = TypeGuess()
    for cell in cells { Array(cell.utf8).withUnsafeBytes { guess.observe($0) } }
    #expect(guess.type == type)
  }

  private func scan(
    _ scan: some TypeScan, _ text: String, rowsMax: Int = .max, step: Int = .max
  ) throws -> SchemaGuess {
    var guess = SchemaGuess()
    try feed(Array(text.utf8), step: step) { portion, isLast in
      try scan.read(portion, isLast: isLast, rowsMax: rowsMax, into: &guess)
    }
    return guess
  }

  @Test func aHeaderBecomesAttributes() throws {
    let text = "carrier,flight,Dep Time (min),,1st,code\nUA,1,NA,x,1.5,01\nAA,2,517,,2,02\n"
    for step in [1, 7, Int.max] {
      let guess = try scan(CSVTypeScan(CSVFormat(nullWords: ["NA"])), text, step: step)
      let entity = try guess.entity(named: "Flight", key: ["carrier", "flight"], types: [:])
      #expect(
        entity.properties.map(\.name) == [
          "carrier", "flight", "Dep_Time_min", "column4", "_1st", "code",
        ])
      #expect(entity.properties.map(\.attributeType) == [.text, .int, .int, .text, .double, .text])
      #expect(entity.properties.map(\.isOptional) == [false, false, true, true, true, true])
      #expect(entity.uniqueConstraints == [["carrier", "flight"]])
    }
  }

  @Test func namesThatFallTogetherStayApart() {
    #expect(CSVHeader.propertyNames(["a b", "a-b", "A_b", "é"]) == ["a_b", "a_b_2", "A_b_3", "é"])
  }

  @Test func aPipeDecidesByItsFirstRows() throws {
    let text = "n\n1\n2\n3\nx\n"
    #expect(try scan(CSVTypeScan(CSVFormat()), text, rowsMax: 3).type(of: "n") == .int)
    #expect(try scan(CSVTypeScan(CSVFormat()), text).type(of: "n") == .text)
  }

  @Test func recordsShowTheirTypes() throws {
    let text = """
      {"a":1,"b":"2013-01-01T10:00:00Z","c":{"x":1},"d":true,"e":null,"f":1.5}
      {"a":2.5,"b":"2013-01-02","c":[1],"d":null,"g":"x","f":"y"}
      not json
      """
    let guess = try scan(JSONTypeScan(.lines), text)
    let types = guess.names.map { guess.type(of: $0) }
    #expect(guess.names == ["a", "b", "c", "d", "e", "f", "g"])
    #expect(types == [.double, .date, .json, .bool, .text, .text, .text])
  }

  @Test func theCallersTypesWinAndAreChecked() throws {
    let guess = try scan(CSVTypeScan(CSVFormat()), "a,b\n1,2\n")
    let entity = try guess.entity(named: "E", key: [], types: ["a": .text])
    #expect(entity.properties.map(\.attributeType) == [.text, .int])
    #expect(entity.uniqueConstraints.isEmpty)
    let fault = #expect(throws: BindingFault.self) {
      try guess.entity(named: "E", key: ["c"], types: [:])
    }
    #expect(
      fault?.description == "the files have no column \"c\"; there are: a, b"
        || fault?.description.contains("did you mean") == true)
  }

  @Test func typesAreReadFromTheCommandLine() throws {
    #expect(try TypeName.list("a=Int,b=string,c=DATE") == ["a": .int, "b": .text, "c": .date])
    let wrong = #expect(throws: BindingFault.self) { try TypeName.list("a=Strin") }
    #expect(wrong?.description == "\"Strin\" is no type; did you mean \"String\"?")
    #expect(throws: BindingFault.self) { try TypeName.list("a") }
  }
}
