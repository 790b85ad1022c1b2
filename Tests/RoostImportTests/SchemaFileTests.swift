import RoostImport
import RoostModel
import Testing

@Suite struct SchemaFileTests {
  private func schema(_ text: String) throws -> StoreSchema {
    try SchemaFile.read(try JSONDocument.read(Array(text.utf8)))
  }

  static let flights = """
    {"entities": {
      "Flight": {
        "attributes": {"ident": "String", "actualOff": "Date?",
                       "progress": {"type": "Int", "default": 0, "originalName": "percent"}},
        "relationships": {"origin": {"toOne": "Airport?", "inverse": "flights"}},
        "unique": ["ident"], "indexes": ["origin,actualOff"]},
      "Airport": {
        "attributes": {"icao": "String"},
        "relationships": {"flights": {"toMany": "Flight", "inverse": "origin",
                                      "onDelete": "cascade"}},
        "unique": ["icao"]}}}
    """

  @Test func aFileIsReadWhole() throws {
    let schema = try schema(Self.flights)
    let flight = try #require(schema.entity(named: "Flight"))
    #expect(flight.properties.map(\.name) == ["ident", "actualOff", "progress", "origin"])
    #expect(flight.properties.map(\.isOptional) == [false, true, false, true])
    #expect(flight.property(named: "progress")?.defaultValue == .int(0))
    #expect(flight.property(named: "progress")?.originalName == "percent")
    #expect(flight.uniqueConstraints == [["ident"]])
    #expect(flight.indexes == [["origin", "actualOff"]])
    let flights = schema.entity(named: "Airport")?.property(named: "flights")?.relationship
    #expect(flights?.isToMany == true)
    #expect(flights?.deleteRule == .cascade)
  }

  @Test func whatIsWrittenReadsBackTheSame() throws {
    var schema = try schema(Self.flights)
    let text = SchemaFile.document(schema).canonicalText
    var again = try self.schema(text)
    // Canonical text sorts members; compare without their order.
    for index in schema.entities.indices {
      schema.entities[index].properties.sort { $0.name < $1.name }
    }
    for index in again.entities.indices {
      again.entities[index].properties.sort { $0.name < $1.name }
    }
    #expect(Set(schema.entities) == Set(again.entities))
  }

  @Test(arguments: [
    ("{\"entities\":{\"A\":{}}}", "at least one attribute"),
    (
      "{\"entities\":{\"A\":{\"attributes\":{\"x\":\"Strin\"}}}}",
      "entities.A.attributes.x: \"Strin\" is no type"
    ),
    (
      "{\"entities\":{\"A\":{\"attributes\":{\"x\":{\"type\":\"Int\",\"default\":\"a\"}}}}}",
      "default: a string"
    ),
    (
      "{\"entities\":{\"A\":{\"attributes\":{\"x\":\"Int\"},\"unique\":[\"y\"]}}}",
      "\"y\" is no property"
    ),
    ("{\"entities\":{\"A\":{\"relationships\":{\"b\":{\"toOne\":\"B\"}}}}}", "no entity \"B\""),
    ("{\"entities\":{\"A\":{\"relationships\":{\"b\":{}}}}}", "needs \"toOne\" or \"toMany\""),
    (
      "{\"entities\":{\"A\":{\"relationships\":{\"b\":{\"toOne\":\"A\",\"inverse\":\"c\"}}}}}",
      "no relationship \"c\""
    ),
    ("{\"entities\":{\"A\":{\"atributes\":{}}}}", "did you mean \"attributes\"?"),
  ])
  func aMistakeIsNamedWithItsPlace(_ text: String, _ hint: String) {
    let fault = #expect(throws: BindingFault.self) { try schema(text) }
    #expect(fault?.description.contains(hint) == true, "\(fault?.description ?? "")")
  }

  @Test(
    arguments: [
      ("idnet", ["ident", "origin"], "ident"), ("dep_time", ["depTime", "arrTime"], "depTime"),
      ("Fligth", ["Flight", "Airport"], "Flight"), ("xyzzy", ["ident"], nil),
    ] as [(String, [String], String?)])
  func theNearestNameIsTheOneMeant(_ name: String, _ candidates: [String], _ nearest: String?) {
    #expect(NearestName.of(name, among: candidates) == nearest)
  }
}
