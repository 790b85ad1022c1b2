import RoostImport
import RoostModel
import Testing

@Suite struct CellTextTests {
  @Test(arguments: [
    ("0", 0), ("517", 517), ("-4", -4), ("+7", 7), ("007", 7),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("0000000000000000000000001", 1),
  ])
  func readsInts(_ text: String, _ value: Int64) throws {
    #expect(try AttributeType.int.cell(text) == .int(value))
  }

  @Test(arguments: [
    "", "-", "+", " 1", "1 ", "1.0", "1e3", "0x10", "9223372036854775808", "-9223372036854775809",
    "99999999999999999999999", "１", "1_000", "NA",
  ])
  func refusesWhatIsNoInt(_ text: String) {
    #expect(throws: CellFault.self) { try AttributeType.int.cell(text) }
  }

  @Test(arguments: [
    ("0", 0.0), ("41.1304722", 41.1304722), ("-80.6195833", -80.6195833), (".5", 0.5), ("5.", 5),
    ("1e22", 1e22), ("1e23", 1e23), ("1E-7", 1e-7), ("48.053808600000004", 48.053808600000004),
    ("123456789012345678901234567890", 123456789012345678901234567890.0),
    ("1.7976931348623157e308", 1.7976931348623157e308), ("4.9e-324", Double.leastNonzeroMagnitude),
    ("-0", -0.0),
    ("inf", Double.infinity), ("-Infinity", -Double.infinity),
    ("9007199254740993", 9007199254740992),
    ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
  ])
  func readsDoublesExactly(_ text: String, _ value: Double) throws {
    #expect(try AttributeType.double.cell(text) == .double(value))
  }

  @Test(arguments: [UInt64(11), 12])
  func everyDoubleReadsBackAsItself(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<5_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(try AttributeType.double.cell("\(number)") == .double(number), "seed \(seed)")
      let short = Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1_000
      #expect(try AttributeType.double.cell("\(short)") == .double(short), "seed \(seed)")
    }
  }

  @Test(arguments: ["", ".", "e5", "1e", "1e+", "--1", "1.2.3", "0x1p3", "nano", "infinit", "1,5"])
  func refusesWhatIsNoDouble(_ text: String) {
    #expect(throws: CellFault.self) { try AttributeType.double.cell(text) }
  }

  @Test(arguments: [
    ("2001-01-01", 0.0), ("2001-01-01T00:00:00Z", 0), ("2013-01-01T10:00:00Z", 378_727_200),
    ("2013-01-01 10:00:00", 378_727_200), ("2013-01-01T10:00Z", 378_727_200),
    ("2013-01-01T12:00:00+02:00", 378_727_200), ("2013-01-01T05:00:00-0500", 378_727_200),
    ("2013-01-01T12:00:00+02", 378_727_200), ("2013-01-01T10:00:00.25Z", 378_727_200.25),
    ("2000-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", -978_307_200),
    ("2000-02-29T00:00:00z", -26_524_800), ("0001-01-01T00:00:00Z", -63_113_904_000),
    ("9999-12-31T23:59:59Z", 252_423_993_599), ("2016-12-31T23:59:60Z", 504_921_600),
  ])
  func readsDates(_ text: String, _ seconds: Double) throws {
    #expect(try AttributeType.date.cell(text) == .date(seconds))
  }

  @Test(arguments: [
    "", "2013", "2013-01", "2013-1-1", "2013-13-01", "2013-02-29", "1900-02-29", "2013-00-10",
    "2013-01-32", "2013-01-01T", "2013-01-01T25:00:00Z", "2013-01-01T10:61:00Z",
    "2013-01-01T10:00:00X", "2013-01-01T10:00:00+", "2013-01-01T10:00:00+2",
    "2013-01-01T10:00:00.Z",
    "2013-01-01T10:00:00+02:0", "2013-01-01x10:00:00Z", "2013/01/01", "2013-01-01T10",
  ])
  func refusesWhatIsNoDate(_ text: String) {
    #expect(throws: CellFault.self) { try AttributeType.date.cell(text) }
  }

  @Test func datesPrintAsTheyAreRead() throws {
    for text in [
      "2013-01-01T10:00:00Z", "1969-07-20T20:17:40Z", "2000-02-29T23:59:59.5Z",
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    ] {
      #expect(ValueText.text(try AttributeType.date.cell(text)) == text)
    }
  }

  @Test func daysCountLikeACalendar() {
    var day = DateText.daysSince2001(year: 1999, month: 12, day: 31)
    for year in 2000...2008 {
      for month in 1...12 {
        let leap = year % 4 == 0
        let length = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        for date in 1...length {
          day += 1
          #expect(DateText.daysSince2001(year: year, month: month, day: date) == day)
        }
      }
    }
  }

  @Test(arguments: [
    ("true", true), ("FALSE", false), ("1", true), ("0", false), ("t", true), ("No", false),
  ])
  func readsBools(_ text: String, _ value: Bool) throws {
    #expect(try AttributeType.bool.cell(text) == .bool(value))
  }

  @Test func readsTheRareTypes() throws {
    let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    #expect(ValueText.text(try AttributeType.uuid.cell(id)) == id)
    #expect(ValueText.text(try AttributeType.uuid.cell("6f9619ff8b86d011b42d00c04fc964ff")) == id)
    #expect(try AttributeType.data.cell("AP8Q") == .blob([0, 255, 16]))
    #expect(try AttributeType.data.cell("AP8=") == .blob([0, 255]))
    #expect(try AttributeType.data.cell("AA") == .blob([0]))
    #expect(try AttributeType.uint64.cell("18446744073709551615") == .int(-1))
    #expect(try AttributeType.decimal.cell("0019.90") == .decimal("19.9"))
    #expect(
      try AttributeType.json.cell("{\"b\": [1, 2.50], \"a\":null}")
        == .text("{\"a\":null,\"b\":[1,2.50]}"))
  }

  @Test(arguments: [
    (AttributeType.uuid, "6F9619FF-8B86-D011-B42D-00C04FC964F"),
    (.uuid, "6F9619FF+8B86-D011-B42D-00C04FC964FF"),
    (.data, "A"), (.data, "A?=="), (.data, "A==="), (.data, "AB=="), (.uint64, "-1"),
    (.uint64, "18446744073709551616"), (.bool, "maybe"), (.decimal, "1,5"), (.json, "{"),
  ])
  func refusesWhatTheTypeCannotBe(_ type: AttributeType, _ text: String) {
    #expect(throws: CellFault.self) { try type.cell(text) }
  }

  @Test func aFaultNamesTheValueAndWhatWouldBeRight() {
    let fault = #expect(throws: CellFault.self) { try AttributeType.int.cell("5\n17") }
    #expect(
      fault?.reason == "\"5\\n17\" is not a value of type Int: "
        + "a whole number between -2^63 and 2^63-1, such as 517")
  }
}
