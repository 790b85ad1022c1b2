import Testing

@testable import RoostBench

@Suite struct BenchOptionParserTests {
  private func options(_ words: String) throws -> BenchOptions {
    let arguments = words.split(separator: " ").map(String.init)
    guard case .run(let options) = try BenchOptionParser.parse(arguments)
    else { throw BenchError("help") }
    return options
  }

  @Test func readsEveryOption() throws {
    let read = try options(
      """
      --count 500 --keys=20 --repeats 3 --seed 9 --only delete,fetch-two --side sqlite \
      --folder f --json
      """)
    var wanted = BenchOptions()
    wanted.counts = [500]
    wanted.keys = 20
    wanted.repeats = 3
    wanted.seed = 9
    wanted.measures = [.fetchTwo, .delete]
    wanted.sides = [.sqlite]
    wanted.folder = "f"
    wanted.isJSON = true
    #expect(read == wanted)
  }

  @Test func measuresOneHundredThousandObjectsOfBothSidesByDefault() throws {
    let read = try options("")
    #expect(read.counts == [100_000])
    #expect(read.keys == 20_000)
    #expect(read.measures == Measure.allCases)
    #expect(read.sides == Side.allCases)
  }

  @Test func aCurveGoesToAMillion() throws {
    #expect(try options("--curve").counts == [1_000, 10_000, 100_000, 1_000_000])
  }

  @Test func helpWinsOverWhatIsWrong() throws {
    #expect(try BenchOptionParser.parse(["--nothing", "--help"]) == .help)
    #expect(try BenchOptionParser.parse(["-h"]) == .help)
  }

  @Test func theHelpNamesEveryOptionAndMeasure() {
    for name in BenchOptionParser.names where name != "--help" {
      #expect(BenchHelp.text.contains("\(name) "), "\(name) is not explained")
    }
    for measure in Measure.allCases { #expect(BenchHelp.text.contains(" \(measure.rawValue) ")) }
  }

  @Test(arguments: [
    ("--nothing", "no option --nothing"), ("100", "no option 100"), ("--count", "needs a value"),
    ("--count=", "needs a value"), ("--count 0", "1 to 10000000"),
    ("--repeats 1001", "1 to 1000"), ("--seed x", "2⁶⁴"), ("--only insert,x", "among insert"),
    ("--only ,", "names nothing"), ("--side both", "among roost, sqlite"),
    ("--json=1", "takes no value"),
  ])
  func namesWhatIsWrong(words: String, text: String) throws {
    let error = #expect(throws: BenchError.self) { try options(words) }
    #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
  }
}
