import Foundation
import Testing

@testable import RoostLoad

@Suite struct PageTests {
  private func result(slower: UInt64 = 1) throws -> RunResult {
    var options = LoadOptions()
    options.mix = try Mix("get=9,write=1")
    var tallies = Tallies()
    for latency in 1...1_000 { tallies[.get].succeeded(after: UInt64(latency) * 1_000 * slower) }
    tallies[.write].succeeded(after: 2_000_000)
    var target = TargetSummary(url: "roost://h:1", entity: "Fl<ight>", rows: 336_776)
    target.server = "roost/1"
    var result = RunResult(options: options, target: target, tallies: tallies, seconds: 2)
    for second in -1...9 {
      result.timeline.append(
        TimelinePoint(
          start: Double(second), seconds: 1, isWarmUp: second < 0,
          total: IntervalFigures(tallies.total), operations: [:]))
    }
    return result
  }

  @Test func aRecordIsWhatTheResultSays() throws {
    let result = try result()
    let record = try RecordReader.record(of: result)
    #expect(record.total.requests == 1_001)
    #expect(record.operations.map(\.name) == ["get", "write"])
    #expect(
      record.operations[0].latencies.percentiles == result.tallies[.get].latencies.percentiles)
    #expect(record.timeline.map(\.start) == result.timeline.map(\.start))
    #expect(record.timeline[0].total == result.timeline[0].total)
    #expect(record.facts.contains { $0.name == "seed" && $0.value == "1" })
  }

  @Test func aPageNeedsNoOtherFileAndEscapesWhatItIsTold() throws {
    var result = try result()
    result.generator.threadShares = [0.95]
    let page = HTMLReport.page(try RecordReader.record(of: result))
    #expect(page.contains("Fl&lt;ight&gt;") && !page.contains("<ight>"))
    #expect(page.contains("The generator was the limit"))
    for outside in ["http:", "https:", "<script", "<link", "@import", "url("] {
      #expect(!page.contains(outside), "\(outside)")
    }
    #expect(!page.contains("nan") && !page.contains("inf\""))
    // What is well-formed XML is no broken HTML; the head has the void elements alone.
    let body = page[try #require(page.range(of: "<main>")).lowerBound...]
      .replacingOccurrences(of: "</body></html>", with: "")
    #expect(XMLCheck.isWellFormed(String(body)))
  }

  @Test func twoRunsShareOnePageAndOneTable() throws {
    let left = try RecordReader.record(of: result())
    let right = try RecordReader.record(of: result(slower: 2))
    let text = Comparison.text(left, right, names: ("a.json", "b.json"))
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.contains { $0.contains("p50") && $0.last == "2.00×" })
    let page = HTMLReport.page(comparing: left, right, names: ("a.json", "b.json"))
    #expect(page.contains("swatch c2\"></i>A p99") && page.contains("swatch c4\"></i>B p99"))
    #expect(page.contains("swatch c2 dash\"></i>A p50"))
    #expect(page.contains("<th scope=\"row\">seed</th><td>1</td><td>1</td>"))
  }

  @Test(arguments: [
    ("", "holds no result"), ("{\"a\":1}", "holds no result"), ("{\"run\":{", "f.json:1: "),
    ("{\"format\":99,\"run\":{}}\n{\"requestsPerSecond\":1}", "its format is 99"),
    ("{\"run\":{}}\n{\"requestsPerSecond\":1}", "its format is not given"),
  ])
  func aFileThatIsNoResultIsNamed(_ text: String, _ words: String) {
    let error = #expect(throws: RecordError.self) {
      try RecordReader.read(Array(text.utf8), name: "f.json")
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func anEmptyRunMakesAPage() throws {
    let result = RunResult(
      options: LoadOptions(), target: TargetSummary(url: "roost://h:1"), tallies: Tallies(),
      seconds: 0)
    let page = HTMLReport.page(try RecordReader.record(of: result))
    #expect(page.contains("</html>"))
  }
}

/// Tags that open and close one another.
private enum XMLCheck {
  static func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    for piece in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
      guard let end = piece.firstIndex(of: ">") else { return false }
      let tag = piece[..<end]
      let name = tag.prefix { $0 != " " && $0 != "/" || $0 == "/" && tag.hasPrefix("/") }
      if tag.hasPrefix("/") {
        guard open.popLast() == name.dropFirst() else { return false }
      } else if !tag.hasSuffix("/") {
        open.append(name)
      }
    }
    return open.isEmpty
  }
}
