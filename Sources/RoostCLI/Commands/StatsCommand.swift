import RoostClient
import RoostImport
import RoostModel

/// `roost stats`: a server's figures: one screen, a section as a table, or a row each second.
struct StatsCommand: Command {
  static let spec = CommandSpec(
    name: "stats",
    usages: [
      "stats URL [\(sectionNames.joined(separator: "|"))] [--json]",
      "stats URL --watch [SECONDS] [--json]",
    ],
    summary: "print what the server does and how it fares",
    options: [
      OptionSpec(
        "json", nil,
        "the figures as they came: an object, of a section a list;\nall has all of them"),
      OptionSpec(
        "watch", "[SECONDS]", "a row each second, or after as many as are said (0.1 to 3600)"),
    ],
    notes: [
      """
      Without a section: one screen, a line a topic. Rates and latencies are of about the last
      minute; - is what the server does not tell. all prints every figure by its name.
      --watch prints rates between two replies; with --json one object a row. It goes on when the
      server is lost and comes back, and ends by Ctrl-C.
      """,
      """
      Its columns: p99get and p99commit are milliseconds of about the last minute; wq and rq are
      the writes and the queries that wait, wal the write-ahead log, imp/s rows imported.
      """,
    ],
    examples: [
      "stats roost://127.0.0.1:7678", "stats roost://127.0.0.1:7678 clients",
      "stats roost://127.0.0.1:7678 --watch 5",
    ])

  static let sectionNames = StatisticsSection.allCases.map(\.rawValue) + ["all"]

  private enum Subject: Equatable {
    case screen
    case section(StatisticsSection)
    case all
  }

  private let url: RoostURL
  private let subject: Subject
  private let isJSON: Bool
  private let watchSeconds: Double?

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.from(["URL"], upTo: ["SECTION"])
    url = try arguments.url(positionals[0])
    isJSON = arguments.has("json")
    subject = try StatsCommand.subject(positionals.dropFirst().first)
    watchSeconds = try arguments.seconds("watch", MonitorLimits.watchSeconds, unless: 1)
    guard watchSeconds == nil || subject == .screen else {
      throw CommandFault(
        "--watch shows the server as a whole; roost top URL shows its sections as they change")
    }
  }

  private static func subject(_ name: String?) throws(CommandFault) -> Subject {
    guard let name else { return .screen }
    if name == "all" { return .all }
    guard let section = StatisticsSection(rawValue: name) else {
      throw CommandFault(
        "there is no section \"\(name)\"\(NearestName.hint(name, among: sectionNames))")
    }
    return .section(section)
  }

  func run(_ console: Console) async throws -> Int32 {
    if let watchSeconds {
      return try await StatsWatch(url, every: watchSeconds, isJSON: isJSON).run(console)
    }
    let sample = try await withClient(url) { client in
      try await client.sample(sections, limit: MonitorLimits.sectionRowsMax)
    }
    try console.write(isJSON ? try json(sample) : try text(sample, console))
    return ExitCode.done
  }

  private var sections: [StatisticsSection] {
    switch subject {
    case .screen: isJSON ? [] : StatsScreen.sections
    case .section(let section): [section]
    case .all: isJSON ? StatisticsSection.allCases : []
    }
  }

  private func json(_ sample: ServerSample) throws(CommandFault) -> String {
    guard case .section(let section) = subject else {
      return ValueText.json(.map(sample.figures.entries)).canonicalText + "\n"
    }
    let rows = try sample.requiredRows(section)
    return ValueText.json(.list(rows.map { .map($0.entries) })).canonicalText + "\n"
  }

  private func text(_ sample: ServerSample, _ console: Console) throws(CommandFault) -> String {
    let style = Style(isColoured: console.outputWidth != nil)
    switch subject {
    case .all: return StatsText.text(sample.figures.entries, style)
    case .screen:
      let lines = StatsScreen(sample: sample).lines.map { $0.text(console.outputWidth, style) }
      return lines.joined(separator: "\n") + "\n"
        + ModelSummary.text(sample, widthMax: console.outputWidth)
    case .section(let section):
      let rows = try sample.requiredRows(section)
      return SectionTable(section).text(rows, widthMax: console.outputWidth)
    }
  }
}

extension ServerSample {
  /// The rows of a section that was asked for.
  func requiredRows(_ section: StatisticsSection) throws(CommandFault) -> [Figures] {
    guard let rows = rows(section) else {
      throw CommandFault(
        "this server does not tell its \(section.rawValue); it is older than this roost",
        exitCode: ExitCode.failed)
    }
    return rows
  }
}
