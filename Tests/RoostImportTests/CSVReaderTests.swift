import RoostImport
import RoostModel
import Testing

@Suite struct CSVReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var records: [[Cell]]
    var lines: [Int]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "plain", text: "a,b\n1,2\n", records: [["a", "b"], ["1", "2"]], lines: [1, 2]),
    Case(
      name: "no last newline", text: "a,b\n1,2", records: [["a", "b"], ["1", "2"]], lines: [1, 2]),
    Case(
      name: "CRLF", text: "a,b\r\n1,2\r\n", records: [["a", "b"], ["1", "2"]], lines: [1, 2]),
    Case(
      name: "mixed newlines", text: "a\r\nb\nc\r\n", records: [["a"], ["b"], ["c"]],
      lines: [1, 2, 3]),
    Case(name: "lone CR is data", text: "a\rb,c\n", records: [["a\rb", "c"]], lines: [1]),
    Case(name: "byte order mark", text: "\u{FEFF}a,b\n", records: [["a", "b"]], lines: [1]),
    Case(
      name: "mark before a quote", text: "\u{FEFF}\"a\",b\n", records: [[.quoted("a"), "b"]],
      lines: [1]),
    Case(
      name: "empty cells", text: ",\n,,\n", records: [[nil, nil], [nil, nil, nil]], lines: [1, 2]),
    Case(
      name: "quoted empty is not nil", text: "a,\"\",\n", records: [["a", .quoted(""), nil]],
      lines: [1]),
    Case(
      name: "delimiter in quotes", text: "\"a,b\",c\n", records: [[.quoted("a,b"), "c"]],
      lines: [1]),
    Case(
      name: "doubled quotes", text: "\"\"\"a\"\"b\"\"\",\"\"\"\"\n",
      records: [[.quoted("\"a\"b\""), .quoted("\"")]], lines: [1]),
    Case(
      name: "newlines in quotes", text: "\"a\nb\r\nc\",d\ne,f\n",
      records: [[.quoted("a\nb\r\nc"), "d"], ["e", "f"]], lines: [1, 4]),
    Case(
      name: "quote at the end", text: "a,\"b\"", records: [["a", .quoted("b")]], lines: [1]),
    Case(
      name: "quoted before CRLF", text: "\"a\"\r\n\"b\"\r\n",
      records: [[.quoted("a")], [.quoted("b")]],
      lines: [1, 2]),
    Case(
      name: "quote inside a plain cell", text: "5\" x,b\n", records: [["5\" x", "b"]], lines: [1]),
    Case(
      name: "blank lines between", text: "a,b\n\n\r\n1,2\n\n", records: [["a", "b"], ["1", "2"]],
      lines: [1, 4]),
    Case(name: "spaces are data", text: " a , b\n", records: [[" a ", " b"]], lines: [1]),
    Case(
      name: "text beyond ASCII", text: "Zürich,\"東京\"\n", records: [["Zürich", .quoted("東京")]],
      lines: [1]),
    Case(name: "trailing delimiter", text: "a,b,", records: [["a", "b", nil]], lines: [1]),
    Case(name: "nothing", text: "", records: [], lines: []),
  ]

  @Test(arguments: cases)
  func readsWhole(_ sample: Case) {
    let outcome = CSVOutcome(sample.text)
    #expect(outcome.records == sample.records)
    #expect(outcome.lines == sample.lines)
    #expect(outcome.faults.isEmpty)
  }

  /// Every portion size, so that every position is once the end of a portion.
  @Test(arguments: cases)
  func readsTheSameHoweverTheBytesAreCut(_ sample: Case) {
    let whole = CSVOutcome(sample.text)
    for step in 1...max(1, sample.text.utf8.count) {
      #expect(CSVOutcome(sample.text, step: step) == whole, "portions of \(step)")
    }
  }

  @Test func textBehindAClosingQuoteSpoilsItsRecordOnly() {
    let text = "a,b\n\"x\"y,2\n3,4\n"
    for step in 1...text.utf8.count {
      let outcome = CSVOutcome(text, step: step)
      #expect(outcome.records == [["a", "b"], ["3", "4"]])
      #expect(outcome.faults.map(\.line) == [2])
      #expect(outcome.faults.first?.isFatal == false)
    }
  }

  @Test func anOpenQuoteIsFatalAndNamesTheLineItBeganIn() {
    let outcome = CSVOutcome("a,b\n1,\"2\n3,4\n", step: 3)
    #expect(outcome.records == [["a", "b"]])
    #expect(outcome.faults.map(\.line) == [2])
    #expect(outcome.faults.first?.isFatal == true)
  }

  @Test func anEndlessQuoteEndsAtTheRecordBound() throws {
    let reader = CSVReader()
    let portion = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
    var fault: InputFault?
    try [UInt8(ascii: "\"")].withUnsafeBytes { try reader.append($0) }
    for _ in 0..<16 where fault == nil {
      do throws(InputFault) {
        var failure: InputFault?
        portion.withUnsafeBytes { bytes in
          do throws(InputFault) { try reader.append(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        #expect(try reader.next() == false)
      } catch {
        fault = error
      }
    }
    #expect(fault?.isFatal == true)
    #expect(fault?.reason.contains("16 MiB") == true)
  }

  @Test func utf16IsRefusedWithAdvice() {
    let outcome = CSVOutcome([0xFF, 0xFE, 0x61, 0x00], step: 1)
    #expect(outcome.faults.first?.reason.contains("UTF-8") == true)
  }

  @Test func moreCellsThanColumnsCanBeAreRefused() {
    let wide = String(repeating: ",", count: ImportLimits.cellsMax + 5)
    let outcome = CSVOutcome("\(wide)\na,b\n", step: 1_000)
    #expect(outcome.faults.count == 1)
    #expect(outcome.records == [["a", "b"]])
  }

  /// Random texts of the bytes that matter: any cut gives the same, and nothing traps.
  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
  func randomBytesReadTheSameHoweverTheyAreCut(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    let letters: [UInt8] = Array("a,\"\n\r".utf8) + [0xC3, 0xA9]
    for _ in 0..<200 {
      let count = Int.random(in: 0..<40, using: &random)
      let bytes = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      let whole = CSVOutcome(bytes, step: .max)
      for step in [1, 2, 3, 7] {
        #expect(CSVOutcome(bytes, step: step) == whole, "seed \(seed): \(bytes)")
      }
    }
  }
}

/// A small generator whose seed is printed with a failure.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
