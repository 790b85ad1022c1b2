import RoostClient
import RoostModel

/// `roost doctor`: what is wrong with a server, in words.
struct DoctorCommand: Command {
  static let spec = CommandSpec(
    name: "doctor",
    usages: ["doctor URL [--json]"],
    summary: "say in words what is wrong with a server and what to do",
    options: [OptionSpec("json", nil, "one object with every rule's verdict")],
    notes: [
      """
      Every rule prints a line: what it found with figure, threshold and advice, or ok. A rule whose
      figures the server does not tell is marked -. Notes are worth knowing, no reason to act.
      """,
      """
      Exit codes, for cron: 0 nothing found, 1 warnings, 4 something critical; 2 a wrong call,
      3 no server to speak to.
      """,
    ],
    examples: ["doctor roost://127.0.0.1:7678 >found || mail -s roost operators <found"])

  private let url: RoostURL
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    url = try arguments.url(try arguments.exactly("URL")[0])
    isJSON = arguments.has("json")
  }

  func run(_ console: Console) async throws -> Int32 {
    let sample = try await withClient(url) { client in
      try await client.sample(DoctorRules.sections, limit: MonitorLimits.sectionRowsMax)
    }
    let report = DoctorReport(sample)
    let style = Style(isColoured: console.outputWidth != nil)
    try console.write(isJSON ? report.json + "\n" : report.text(style))
    return report.exitCode
  }
}
