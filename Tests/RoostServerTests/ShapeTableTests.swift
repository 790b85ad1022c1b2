import RoostModel
import RoostStorage
import RoostTransport
import Testing

@testable import RoostServer

@Suite struct ShapeTableTests {
  private func shape(_ text: String, version: UInt32 = 1) -> QueryShape {
    QueryShape(entity: 2, kind: .fetch, text: text, schemaVersion: version)
  }

  private func query(
    _ shape: QueryShape, microseconds: UInt64, at seconds: UInt64 = 1, rows: Int = 0,
    hasFailed: Bool = false
  ) -> EndedQuery {
    EndedQuery(
      cost: QueryCost(shape: shape, rows: rows, nanoseconds: microseconds * 1_000),
      waited: .microseconds(5), hasFailed: hasFailed, client: seconds, agent: "a",
      ended: LoopInstant(nanoseconds: seconds * 1_000_000_000))
  }

  private let now = LoopInstant(nanoseconds: 2_000_000_000)

  @Test func theDearestComesFirst() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    let (cheap, dear) = (shape("cheap"), shape("dear"))
    for _ in 0..<10 { table.add(query(cheap, microseconds: 20, rows: 3)) { "" } }
    table.add(query(dear, microseconds: 900, hasFailed: true)) { "" }
    let found = table.dearest(10, now: now).map(\.0)
    #expect(found.map(\.shape) == [dear, cheap])
    #expect(found[0].calls == 1 && found[0].failed == 1)
    #expect(found[1].calls == 10 && found[1].rows == 30)
    #expect(found[1].totalNanoseconds == 200_000 && found[1].waitNanoseconds == 50_000)
    #expect(table.dearest(1, now: now).count == 1)
  }

  @Test func theTextOfTheSlowestIsKeptAndAskedForNoMoreThanNeeded() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    let shape = shape("x")
    var asked: [String] = []
    for (microseconds, text) in [(50, "first"), (20, "quicker"), (90, "slowest"), (90, "equal")] {
      table.add(query(shape, microseconds: UInt64(microseconds), at: UInt64(microseconds))) {
        asked.append(text)
        return text
      }
    }
    #expect(asked == ["first", "slowest"])
    let slowest = table.dearest(1, now: now).first?.0.slowest
    #expect(slowest?.text == "slowest" && slowest?.client == 90)
  }

  @Test func aChangedSchemaGoesOnWithTheSameWords() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    table.add(query(shape("x"), microseconds: 1)) { "" }
    let newer = shape("x", version: 2)
    for _ in 0..<2 { table.add(query(newer, microseconds: 1)) { "" } }
    #expect(table.count == 1)
    let found = table.dearest(1, now: now).first?.0
    #expect(found?.calls == 3 && found?.shape == newer)
  }

  @Test func whatWasCalledLeastRecentlyMakesRoom() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    for number in 0..<ShapeTable.shapesMax {
      table.add(query(shape("\(number)"), microseconds: 1, at: UInt64(number + 1))) { "" }
    }
    let first = shape("0")
    table.add(query(first, microseconds: 1, at: 5_000)) { "" }
    table.add(query(shape("new"), microseconds: 1, at: 5_001)) { "" }
    #expect(table.count == ShapeTable.shapesMax)
    let texts = Set(table.dearest(.max, now: now).map(\.0.shape.text))
    #expect(texts.contains("0") && texts.contains("new") && !texts.contains("1"))
    // The places behind the one that went still lead to their own figures.
    table.add(query(shape("999"), microseconds: 70, at: 5_002)) { "" }
    let dearest = table.dearest(1, now: now).first?.0
    #expect(dearest?.shape.text == "999" && dearest?.calls == 2)
  }

  @Test func callsASecondAreOfTheLastMinute() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    let shape = shape("x")
    for second in 1...30 {
      for _ in 0..<4 { table.add(query(shape, microseconds: 1, at: UInt64(second))) { "" } }
    }
    func rate(_ second: UInt64) -> Double {
      let now = LoopInstant(nanoseconds: second * 1_000_000_000)
      return table.dearest(1, now: now).first?.perSecond ?? -1
    }
    #expect(abs(rate(30) - 4) < 0.3)
    #expect(rate(200) == 0)
  }

  @Test func everyShapeThatAStoreTellsApartKeepsItsPlace() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    var shapes = (0..<StorageLimits.shapesMax).map { shape("shape \($0)") }
    for kind in QueryShape.Kind.allCases {
      shapes.append(QueryShape(entity: 0, kind: kind, text: QueryShape.othersText))
    }
    for second in 1...2 {
      for shape in shapes { table.add(query(shape, microseconds: 1, at: UInt64(second))) { "" } }
    }
    let calls = table.dearest(shapes.count, now: now).map(\.0.calls)
    #expect(calls.count == shapes.count && calls.allSatisfy { $0 == 2 })
  }

  /// Else the first call of a shape would look like a storm.
  @Test func oneCallIsNoHighRateOnAServerThatIsOld() {
    var table = ShapeTable(opened: LoopInstant(nanoseconds: 0))
    table.add(query(shape("x"), microseconds: 1, at: 500)) { "" }
    let now = LoopInstant(nanoseconds: 500_100_000_000)
    let rate = table.dearest(1, now: now).first?.perSecond ?? -1
    #expect(rate > 0 && rate < 0.02)
  }
}
