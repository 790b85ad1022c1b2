import RoostModel
import RoostTestSupport
import Testing

@Suite("QueryText round trip")
struct QueryTextRoundTripTests {
  private let schema = SampleSchema.all

  @Test func everyRandomQueryReadsBackAsItself() throws {
    var generator = RandomExpressions(
      schema: schema, random: SplitMix64(seed: TestSeed.current))
    for index in 0..<5_000 {
      let query = generator.query(of: UInt32(index % 3 + 1))
      let text = QueryText.text(query, schema: schema)
      let read: Query
      do {
        read = try QueryText.query(text, schema: schema)
      } catch {
        Issue.record("\(error)\n\(query)\n\(TestSeed.note)")
        return
      }
      try #require(
        read == query, "\(text)\n\(QueryText.text(read, schema: schema))\n\(TestSeed.note)")
    }
  }
}
