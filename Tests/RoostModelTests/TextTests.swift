import RoostModel
import RoostTestSupport
import Testing

@Suite("TextFolding")
struct TextFoldingTests {
  @Test(arguments: [
    ("", ""), ("San Francisco", "san francisco"), ("Zürich", "zurich"), ("Zu\u{308}rich", "zurich"),
    ("São Paulo", "sao paulo"), ("straße", "strasse"), ("STRASSE", "strasse"),
    ("Ὀδυσσεύς", "οδυσσευσ"), ("İstanbul", "istanbul"), ("ﬁn", "fin"), ("Ž", "z"),
    ("Ångström", "angstrom"), ("한국", "한국"), ("が", "が"), ("か", "か"), ("👨‍👩‍👧", "👨‍👩‍👧"), ("[@`{", "[@`{"),
    ("x\u{0}Y", "x\u{0}y"),
  ])
  func dropsCaseAndAccents(text: String, folded: String) {
    #expect(TextFolding.fold(text).hasSameBytes(as: folded))
    #expect(TextFolding.fold(folded).hasSameBytes(as: folded), "folding twice is folding once")
  }

  @Test func bytesFoldAsTheirText() {
    for text in ["Abc", "Zürich", "ΣΊΣΥΦΟΣ"] {
      let folded = Array(text.utf8).withUnsafeBufferPointer { TextFolding.fold(utf8: $0) }
      #expect(folded.hasSameBytes(as: TextFolding.fold(text)))
    }
  }
}

@Suite("DateText")
struct DateTextTests {
  @Test(arguments: [
    ("2001-01-01", 0.0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01 00:00", 0),
    ("2001-01-01T01:00:00+01:00", 0), ("2000-12-31T23:30-0030", 0), ("2001-01-01t00:00:01.5z", 1.5),
    ("2000-12-31", -86_400), ("2013-01-01T05:00:00Z", 378_709_200), ("2000-02-29", -26_524_800),
    ("0001-01-01", -63_113_904_000), ("9999-12-31T23:59:59Z", 252_423_993_599),
    ("2001-01-01T00:00:00.000000000000000000000000001Z", 0),
  ])
  func readsISO8601(text: String, seconds: Double) {
    #expect(DateText.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "2001", "2001-1-1", "2001-13-01", "2001-02-29", "1900-02-29", "2001-00-01", "2001-04-31",
    "2001-01-01T", "2001-01-01T1:00", "2001-01-01T24:00", "2001-01-01T00:60", "2001-01-01T00:00:60",
    "2001-01-01T00:00:00.", "2001-01-01T00:00:00Q", "2001-01-01T00:00:00Z ", " 2001-01-01",
    "2001-01-01T00:00+1", "2001-01-01T00:00+24:00", "0000-01-01", "20010101", "2001/01/01", "now",
    "-001-01-01", "2001-01-0١",
  ])
  func refusesWhatIsNoDate(text: String) {
    #expect(DateText.seconds(text) == nil)
  }

  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
    (400_000_000.25, "2013-09-04T15:06:40.25Z"), (0.001, "2001-01-01T00:00:00.001Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"),
  ])
  func writesTheShortestText(seconds: Double, text: String) {
    #expect(DateText.text(seconds) == text)
  }

  @Test(arguments: [.nan, .infinity, -.infinity, 1e12, -1e12, 1e-12] as [Double])
  func hasNoTextForWhatISO8601CannotSay(seconds: Double) {
    #expect(DateText.text(seconds) == nil)
  }

  @Test func readsBackEveryMomentItWrites() {
    var random = SplitMix64(seed: TestSeed.current)
    for _ in 0..<20_000 {
      let whole = Double(random.below(315_537_897_600)) - 63_113_904_000
      let fraction = random.chance(50) ? 0 : Double(random.below(1_000)) / 1_000
      guard let text = DateText.text(whole + fraction) else { continue }
      #expect(DateText.seconds(text) == whole + fraction, "\(text) \(TestSeed.note)")
    }
  }

  /// The calendar has no holes: each day is the one after the day before.
  @Test func daysFollowOneAnother() {
    var last = "0000-12-31"
    for day in stride(from: -63_113_904_000.0, to: 252_423_993_600, by: 86_400 * 97) {
      guard let text = DateText.text(day) else { return #expect(Bool(false), "\(day)") }
      #expect(last < text)
      #expect(DateText.seconds(String(text.prefix(10))) == day)
      last = text
    }
  }
}

@Suite("DecimalText")
struct DecimalTextTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.00", "0"), ("007", "7"), ("+7", "7"), ("1.50", "1.5"),
    (".5", "0.5"),
    ("5.", "5"), ("1e3", "1000"), ("1.25E+1", "12.5"), ("125e-2", "1.25"), ("1e-3", "0.001"),
    ("-12.340e1", "-123.4"), ("0e300", "0"), ("100", "100"), ("0.10", "0.1"),
  ])
  func hasOneForm(text: String, canonical: String) {
    #expect(DecimalText.canonical(text) == canonical)
    #expect(DecimalText.canonical(canonical) == canonical)
  }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", " 1", "0x1", "NaN", "inf", "--1", "1e500",
    "1e-500",
    "١", "1_000",
  ])
  func refusesWhatIsNoNumber(text: String) {
    #expect(DecimalText.canonical(text) == nil)
  }

  @Test func refusesTooManyDigits() {
    #expect(DecimalText.canonical(String(repeating: "1", count: DecimalText.digitsMax)) != nil)
    #expect(DecimalText.canonical(String(repeating: "1", count: DecimalText.digitsMax + 1)) == nil)
    #expect(DecimalText.canonical(String(repeating: "1", count: 5_000)) == nil)
  }

  @Test func ordersAsNumbers() {
    let ascending = [
      "-100", "-9.5", "-9.25", "-1", "-0.5", "-0.001", "0", "0.001", "0.05", "0.5", "1", "1.25",
      "1.5", "2", "9.5", "10", "99.9", "100",
    ]
    for (lhs, left) in ascending.enumerated() {
      for (rhs, right) in ascending.enumerated() {
        #expect((DecimalText.compare(left, right) < 0) == (lhs < rhs), "\(left) \(right)")
        #expect((DecimalText.compare(left, right) == 0) == (lhs == rhs), "\(left) \(right)")
      }
    }
  }
}

@Suite("NearestName")
struct NearestNameTests {
  @Test(arguments: [
    ("Fligth", "Flight"), ("flight", "Flight"), ("Flights", "Flight"), ("Airprt", "Airport"),
    ("airlin", "Airline"), ("dest", "destination"),
  ])
  func findsWhatWasMeant(name: String, nearest: String) {
    let names = ["Airline", "Airport", "Flight", "destination"]
    #expect(NearestName.suggestion(for: name, among: names) == nearest)
  }

  @Test(arguments: ["", "xyz", "Quux", String(repeating: "a", count: 1_000)])
  func saysNothingWhereNothingIsNear(name: String) {
    #expect(NearestName.suggestion(for: name, among: ["Airline", "Airport", "Flight"]) == nil)
  }
}
