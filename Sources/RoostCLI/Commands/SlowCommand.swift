import RoostClient
import RoostModel

/// `roost slow`: the queries that cost most.
struct SlowCommand: Command {
  static let spec = CommandSpec(
    name: "slow",
    usages: ["slow URL [N] [--by total|mean|max|p99|calls|scanned] [--json]"],
    summary: "print the queries that cost most, with their plans and what would help",
    options: [
      OptionSpec("by", "ORDER", "the greatest first; total unless given"),
      OptionSpec("json", nil, "the shapes' figures as an array"),
    ],
    notes: [
      """
      Queries that differ in their values only are one shape. N is \(MonitorLimits.slowQueries)
      unless given. Times are those in the store, without waiting; wait is the mean wait for a
      reader. Figures are since the server's start.
      """
    ],
    examples: ["slow roost://127.0.0.1:7678", "slow roost://127.0.0.1:7678 3 --by p99"])

  private let url: RoostURL
  private let count: Int
  private let order: SlowOrder
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.from(["URL"], upTo: ["N"])
    url = try arguments.url(positionals[0])
    count = try SlowCommand.count(positionals.dropFirst().first)
    order = try arguments.choice("by", SlowOrder.allCases, \.rawValue) ?? .total
    isJSON = arguments.has("json")
  }

  private static func count(_ text: String?) throws(CommandFault) -> Int {
    guard let text else { return MonitorLimits.slowQueries }
    guard let count = Int(text), 1...MonitorLimits.sectionRowsMax ~= count else {
      throw CommandFault(
        "\(text): N should be a whole number from 1 to \(MonitorLimits.sectionRowsMax)")
    }
    return count
  }

  func run(_ console: Console) async throws -> Int32 {
    let sample = try await withClient(url) { client in
      try await client.sample([.queries], limit: MonitorLimits.sectionRowsMax)
    }
    let report = SlowReport(
      sample, try sample.requiredRows(.queries), by: order, count: count)
    let style = Style(isColoured: console.outputWidth != nil)
    try console.write(
      isJSON ? report.json + "\n" : report.text(style, widthMax: console.outputWidth))
    return ExitCode.done
  }
}
