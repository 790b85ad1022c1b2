import Testing

@testable import RoostCLI

@Suite @MainActor struct ArgumentTests {
  static let spec = CommandSpec(
    name: "test", usages: ["test"], summary: "tests",
    options: [
      OptionSpec("json", nil, ""), OptionSpec("key", "ATTR", ""), OptionSpec("null", "TEXT", ""),
      OptionSpec("watch", "[SECONDS]", ""), OptionSpec("jobs", "N", ""),
    ])

  private func parse(_ arguments: String...) throws(CommandFault) -> ParsedArguments {
    try ParsedArguments(arguments, for: Self.spec)
  }

  @Test func optionsMayStandAnywhere() throws {
    let parsed = try parse("--json", "url", "--key", "a,b", "query", "--null=NA", "--null", "-")
    #expect(parsed.positionals == ["url", "query"])
    #expect(parsed.has("json"))
    #expect(parsed.list("key") == ["a", "b"])
    #expect(parsed.all("null") == ["NA", "-"])
    #expect(!parsed.has("watch"))
  }

  @Test func nothingBehindTwoDashesIsAnOption() throws {
    #expect(try parse("a", "--", "--json", "-x").positionals == ["a", "--json", "-x"])
  }

  @Test func aSingleDashIsAFile() throws {
    #expect(try parse("url", "-").positionals == ["url", "-"])
  }

  @Test func anOptionalValueIsTakenIfItIsANumber() throws {
    #expect(try parse("--watch", "5", "url").value("watch") == "5")
    #expect(try parse("--watch", "0.5", "url").seconds("watch", 0.1...9, unless: 1) == 0.5)
    #expect(try parse("--watch", "url").seconds("watch", 0.1...9, unless: 1) == 1)
    #expect(try parse("url").seconds("watch", 0.1...9, unless: 1) == nil)
    #expect(try parse("--watch", "url").positionals == ["url"])
  }

  @Test(arguments: [
    (["--jsn"], "has no option --jsn; did you mean --json?"),
    (["--xyzzy"], "see roost test --help"),
    (["--key"], "--key needs a value: --key ATTR"), (["--key", "--json"], "--key needs a value"),
    (["--json=1"], "--json takes no value"), (["-j"], "options are written --name"),
  ])
  func aMistakeIsNamed(_ arguments: [String], _ hint: String) {
    let fault = #expect(throws: CommandFault.self) {
      try ParsedArguments(arguments, for: Self.spec)
    }
    #expect(fault?.description.contains(hint) == true, "\(fault?.description ?? "")")
    #expect(fault?.exitCode == ExitCode.wrongCall)
  }

  @Test(arguments: ["0", "x", "-1", "1.5", ""])
  func numbersAreChecked(_ text: String) throws {
    let parsed = try parse("--jobs=\(text)")
    #expect(throws: CommandFault.self) { try parsed.number("jobs", least: 1) }
  }

  /// Every call that is wrong before any server is asked: exit 2 and a message that helps.
  @Test(arguments: [
    (["qery"], "did you mean \"query\"?"), (["watch", "roost://x", "A"], "not in this version"),
    (["top", "roost://x"], "needs a terminal"),
    (["query"], "URL is missing"),
    (["stats", "roost://x", "--watch", "0"], "seconds from 0.1 to 3,600"),
    (["stats", "roost://x", "--watch", "3601"], "seconds from 0.1 to 3,600"),
    (["stats", "roost://x", "--watch", "1x"], "seconds from 0.1 to 3,600"),
    (["stats", "roost://x", "--watch=soon"], "seconds from 0.1 to 3,600"),
    (["stats", "roost://x", "clients", "--watch"], "roost top URL shows its sections"),
    (["stats", "roost://x", "client"], "did you mean \"clients\"?"),
    (["stats", "roost://x", "clients", "models"], "one argument too many"),
    (["slow", "roost://x", "0"], "a whole number from 1 to 1000"),
    (["slow", "roost://x", "ten"], "a whole number from 1 to 1000"),
    (["slow", "roost://x", "--by", "time"], "total, mean, max, p99, calls, scanned"),
    (["doctor"], "URL is missing"),
    (["query", "roost://x"], "QUERY is missing"),
    (["query", "roost://x", "Flight", "where"], "a query is one argument: put it in quotes"),
    (["put", "roost://x", "Flight", "a=1", "b=2"], "JSON is one argument: put it in quotes"),
    (["query", "http://x", "Flight"], "must be roost"),
    (["query", "roosts://x", "Flight"], "TLS is not in this version"),
    (["query", "roost://x", "F", "--json", "--csv"], "--json and --csv: choose one"),
    (["get", "roost://x", "Flight"], "KEY is missing"),
    (["import", "roost://x"], "FILE is missing"),
    (["import", "roost://x", "a.csv"], "--entity NAME is missing"),
    (["import", "roost://x", "a.json", "--create"], "--create goes with --entity"),
    (["import", "roost://x", "a.txt", "--entity", "A"], "say --format csv|json|ndjson"),
    (["import", "roost://x", "a.csv", "--entity", "A", "--types", "a=Int"], "goes with --create"),
    (
      ["import", "roost://x", "a.csv", "--entity", "A", "--create", "--types", "a=In"],
      "did you mean \"Int\"?"
    ),
    (
      ["import", "roost://x", "a.csv", "--entity", "A", "--on-conflict", "merge"],
      "update, ignore, fail"
    ),
    (["import", "roost://x", "a.csv", "--entity", "A", "--jobs", "99"], "at most 16"),
    (
      ["import", "roost://x", "a.csv", "--entity", "A", "--delimiter", "ab"], "one ASCII character"
    ),
    (["import", "roost://x", "a.csv", "--entity", "A", "--base", "."], "--base is for plans"),
    (["help", "qery"], "did you mean \"query\"?"),
  ])
  func aWrongCallSaysWhatWouldBeRight(_ arguments: [String], _ hint: String) async {
    let captured = CapturedConsole()
    let code = await Roost.run(arguments, captured.console())
    #expect(code == ExitCode.wrongCall)
    let text = captured.outcome(code)
    #expect(text.errors.contains(hint), "\(text.errors)")
    #expect(text.output.isEmpty)
  }

  @Test func aServerThatIsNotThereIsExitCode3() async {
    let outcome = await roost("query", "roost://127.0.0.1:1", "Flight")
    #expect(outcome.exitCode == ExitCode.unreachable)
    #expect(outcome.errors.contains("nothing listens on roost://127.0.0.1:1"))
  }

  @Test(arguments: [
    "serve", "import", "query", "get", "put", "delete", "schema", "stats", "top", "slow", "doctor",
  ])
  func everyCommandHasHelp(_ name: String) async {
    let help = await roost("help", name)
    #expect(help.exitCode == 0)
    #expect(help.output.hasPrefix("roost \(name): "))
    #expect(help.output.contains("usage: roost \(name)"))
    #expect(await roost("help").output.contains("  \(name) "))
    guard name != "serve" else { return }
    #expect(await roost(name, "--help") == help)
  }

  @Test(arguments: [
    ("127.0.0.1:0", "127.0.0.1", 0), ("localhost", "localhost", 7_678), (":99", "127.0.0.1", 99),
    ("[::1]:5", "::1", 5), ("[::1]", "::1", 7_678),
  ])
  func addressesAreRead(_ text: String, _ host: String, _ port: UInt16) throws {
    let address = try ServeOptions.address(text)
    #expect(address.host == host)
    #expect(address.port == port)
  }

  @Test(arguments: ["127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1"])
  func badAddressesAreWrongCalls(_ text: String) {
    #expect(throws: CommandFault.self) { try ServeOptions.address(text) }
  }
}
