import Testing

@testable import RoostLoad

@Suite struct OptionParserTests {
  private func options(_ words: String, processors: Int = 2) throws -> LoadOptions {
    let arguments = words.split(separator: " ").map(String.init)
    guard case .run(let options) = try OptionParser.parse(arguments, processors: processors)
    else { throw OptionError("help") }
    return options
  }

  @Test func readsEveryOption() throws {
    let read = try options(
      """
      --mix get=90,write=10 roost://h:1 --connections 8 --depth=4 --threads 2 --duration 2.5 \
      --warmup 0 --rate 500 --entity Flight --seed 9 --timeout 3 --fetch-rows 7 --echo-bytes 0 \
      --keep-writes --json --measuring-file begun
      """)
    var wanted = LoadOptions()
    wanted.url = "roost://h:1"
    wanted.mix = try Mix("get=90,write=10")
    wanted.connections = 8
    wanted.depth = 4
    wanted.threads = 2
    wanted.durationSeconds = 2.5
    wanted.warmupSeconds = 0
    wanted.ratePerSecond = 500
    wanted.entity = "Flight"
    wanted.seed = 9
    wanted.timeoutSeconds = 3
    wanted.fetchRows = 7
    wanted.echoBytes = 0
    wanted.keepsWrites = true
    wanted.isJSON = true
    wanted.measuringFile = "begun"
    #expect(read == wanted)
  }

  @Test func anOpenLoopHasRoomByDefault() throws {
    #expect(try options("u").depth == 1)
    #expect(try options("u --rate 10").depth == 16)
    #expect(try options("u --rate 10 --depth 2").depth == 2)
  }

  @Test func halfOfTheProcessorsGenerate() throws {
    #expect(try options("u", processors: 1).threads == 1)
    #expect(try options("u", processors: 8).threads == 4)
    #expect(try options("u --connections 2", processors: 8).threads == 2)
  }

  @Test func helpWinsOverWhatIsMissing() throws {
    #expect(try OptionParser.parse(["--help"]) == .help)
    #expect(try OptionParser.parse(["-h", "--json"]) == .help)
  }

  @Test(arguments: [
    ("", "URL is missing"), ("u v", "one argument too many"), ("u --depht 1", "--depth"),
    ("u --zzz", "--help"), ("u --depth", "needs a value"), ("u --depth=", "needs a value"),
    ("u --depth 0", "1 to 1,024"), ("u --depth 1.5", "whole number"),
    ("u --connections 10001", "1 to 10,000"), ("u --duration 0", "seconds from 0.1"),
    ("u --duration nan", "seconds from"), ("u --duration inf", "seconds from"),
    ("u --duration 10s", "like 10 or 0.5"), ("u --warmup -1", "seconds from 0"),
    ("u --rate 0", "1 to 10,000,000"), ("u --rate 99999999999999999999", "whole number"),
    ("u --seed -1", "2⁶⁴"), ("u --json=yes", "takes no value"),
    ("u --threads 4 --connections 2", "a connection belongs to one thread"),
    ("u --scenario /nowhere/a.json", "cannot be read"), ("u --mix gte=1", "did you mean get?"),
  ])
  func saysWhatIsWrong(_ words: String, _ hint: String) {
    let error = #expect(throws: OptionError.self) { try options(words) }
    #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
  }

  @Test func helpNamesEveryOption() {
    for name in [
      "--mix", "--connections", "--depth", "--threads", "--duration", "--warmup",
      "--rate", "--entity", "--seed", "--timeout", "--fetch-rows", "--echo-bytes",
      "--measuring-file", "--keep-writes", "--json",
    ] {
      #expect(HelpText.text.contains(name))
    }
  }
}
