import RoostClient
import RoostImport
import RoostModel

/// `roost stats`: a server's counters.
struct StatsCommand: Command {
  static let spec = CommandSpec(
    name: "stats",
    usages: ["stats URL [--json]"],
    summary: "print the server's counters and gauges",
    options: [
      OptionSpec("json", nil, "one JSON object"),
      OptionSpec("watch", "[SECONDS]", "again and again (not in this version)"),
    ],
    examples: ["stats roost://127.0.0.1:7678", "stats roost://127.0.0.1:7678 --json"])

  private let url: RoostURL
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    url = try arguments.url(try arguments.exactly("URL")[0])
    isJSON = arguments.has("json")
    guard !arguments.has("watch") else {
      throw CommandFault("roost stats --watch is not in this version; call roost stats again")
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    let entries = try await withClient(url) { try await $0.statistics() }
    if isJSON {
      try console.write(ValueText.json(.map(entries)).canonicalText + "\n")
    } else {
      try console.write(StatsText.text(entries, Style(isColoured: console.outputWidth != nil)))
    }
    return ExitCode.done
  }
}
