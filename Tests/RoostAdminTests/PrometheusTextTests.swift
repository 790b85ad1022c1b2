import Foundation
import RoostTestSupport
import Testing

@testable import RoostAdmin

@Suite struct PrometheusTextTests {
  private static let families = [
    MetricFamily("a_bytes_total", .counter, "Bytes.", .natural(.max)),
    MetricFamily(
      "b_rows", .gauge, "A \\ and a\nline; \"quotes\" stay.",
      [
        MetricSample(.whole(-3), MetricLabel("entity", "plain"), MetricLabel("x", "")),
        MetricSample(.whole(7), MetricLabel("entity", "a\"b\\c\nd\r\né"), MetricLabel("x", "")),
      ]),
    MetricFamily(
      "c_seconds", .histogram, "Time.",
      [
        MetricSample(
          .histogram(
            HistogramFigures(bounds: [8e-06, 0.5, 64], cumulative: [1, 1, 4], count: 6, sum: 99.5)),
          MetricLabel("method", "Get"))
      ]),
    MetricFamily("d_left_out", .gauge, "Nothing.", []),
    MetricFamily("e_seconds", .gauge, "Odd.", .fraction(.infinity)),
  ]

  @Test func aLineIsAsTheFormatSays() {
    let text = PrometheusText.text([Self.families[0], Self.families[2]])
    #expect(
      text == """
        # HELP a_bytes_total Bytes.
        # TYPE a_bytes_total counter
        a_bytes_total 18446744073709551615
        # HELP c_seconds Time.
        # TYPE c_seconds histogram
        c_seconds_bucket{method="Get",le="8e-06"} 1
        c_seconds_bucket{method="Get",le="0.5"} 1
        c_seconds_bucket{method="Get",le="64.0"} 4
        c_seconds_bucket{method="Get",le="+Inf"} 6
        c_seconds_sum{method="Get"} 99.5
        c_seconds_count{method="Get"} 6

        """)
  }

  @Test func aParserReadsBackWhatWasWritten() throws {
    let parsed = try PrometheusParser(PrometheusText.text(Self.families))
    #expect(parsed.value("b_rows", ["entity": "plain", "x": ""]) == -3)
    #expect(parsed.value("b_rows", ["entity": "a\"b\\c\nd\r\né", "x": ""]) == 7)
    #expect(parsed.helps["b_rows"] == "A \\\\ and a\\nline; \"quotes\" stay.")
    #expect(parsed.value("c_seconds_bucket", ["method": "Get", "le": "+Inf"]) == 6)
    #expect(parsed.types["d_left_out"] == nil)
    #expect(parsed.value("e_seconds") == .infinity)
  }

  @Test(arguments: [
    (0.0, "0.0"), (.nan, "NaN"), (-.infinity, "-Inf"), (1e-06, "1e-06"), (67.108864, "67.108864"),
  ])
  func numbersAreWordsOrDecimals(_ number: Double, _ text: String) {
    #expect(PrometheusText.number(number) == text)
  }

  @Test func theParserRefusesWhatAScraperWould() {
    for text in [
      "", "a 1", "a 1\n", "# HELP a b\n# TYPE a counter\na 1\n",
      "# HELP a b\n# TYPE a gauge\nb 1\n", "# HELP a b\n# TYPE a gauge\na one\n",
      "# HELP a b\n# TYPE a gauge\na 1\na 2\n", "# HELP a b\n# TYPE a gauge\na{b=\"\\x\"} 1\n",
      "# HELP a b\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
      "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\n"
        + "a_count 1\n",
    ] {
      #expect(throws: PrometheusParser.Refusal.self, "\(text)") { try PrometheusParser(text) }
    }
  }
}
