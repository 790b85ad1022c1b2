import RoostClient
import RoostImport
import RoostModel

/// `roost import`: files into entities.
struct ImportCommand: Command {
  static let spec = CommandSpec(
    name: "import",
    usages: [
      "import URL PLAN.json [--base FOLDER] [--rejects FILE] [--json]",
      "import URL FILE... --entity NAME [--create] [--key ATTR[,ATTR]] [options]",
    ],
    summary: "import CSV, JSON and NDJSON files, or what a plan says",
    options: ImportHelp.options, notes: ImportHelp.notes, examples: ImportHelp.examples)

  private let url: RoostURL
  private let source: ImportSource
  private let rejects: String?
  private let endsWithJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.atLeast("URL", "FILE")
    url = try arguments.url(positionals[0])
    source = try ImportSource(arguments, files: Array(positionals.dropFirst()))
    rejects = arguments.value("rejects")
    endsWithJSON = arguments.has("json")
  }

  func run(_ console: Console) async throws -> Int32 {
    let log = try RejectLog(path: rejects)
    let prepared = try await withClient(url) { client in
      try await source.prepare(client, console)
    }
    let run = ImportRun(
      url, streams: prepared.streams, files: prepared.files, log: log, console: console)
    let totals: ImportTotals
    do {
      totals = try await run.run()
    } catch {
      try? log.close()
      show(log, console)
      console.note("roost: \(NumberForm.rows(run.acceptedCount)) went in before this:")
      throw error
    }
    try log.close()
    show(log, console)
    try report(totals, console)
    return totals.exitCode
  }

  private func show(_ log: RejectLog, _ console: Console) {
    for reject in log.shown {
      let line = reject.line.map { ":\($0)" } ?? ""
      let attribute = reject.attribute.map { " \($0):" } ?? ""
      console.note("\(reject.file)\(line):\(attribute) \(reject.reason)")
    }
    let rest = log.count - log.shown.count
    guard rest > 0 else { return }
    let place = rejects.map { "\($0) has them all" } ?? "--rejects FILE keeps them all"
    console.note("… and \(NumberForm.grouped(rest)) more; \(place)")
  }

  private func report(_ totals: ImportTotals, _ console: Console) throws(ClosedOutput) {
    if endsWithJSON { return try console.write(totals.json + "\n") }
    try console.write(
      "\(NumberForm.rows(totals.rows)) in \(NumberForm.decimal(totals.seconds)) s "
        + "(\(NumberForm.grouped(totals.rowsPerSecond)) rows/s): "
        + "\(NumberForm.grouped(totals.accepted)) accepted, "
        + "\(NumberForm.grouped(totals.rejected)) rejected"
        + (totals.unknown > 0 ? ", \(NumberForm.grouped(totals.unknown)) unknown\n" : "\n"))
  }
}

/// The texts of `roost import --help`.
enum ImportHelp {
  static let options: [OptionSpec] = [
    OptionSpec("entity", "NAME", "the entity the rows go into"),
    OptionSpec("create", nil, "make the entity, with types found in the files, if it is not there"),
    OptionSpec(
      "key", "ATTR[,ATTR]",
      "the unique constraint that says which row is which;\nwith --create it is made"),
    OptionSpec("on-conflict", "WHAT", "of a row that is there: update (default), ignore or fail"),
    OptionSpec("types", "ATTR=TYPE,...", "types for --create, where you know better"),
    OptionSpec("format", "FORMAT", "csv, json or ndjson; otherwise by the file's name"),
    OptionSpec(
      "null", "TEXT", "a word that means nil in CSV, beside the empty cell;\nmay be repeated"),
    OptionSpec("delimiter", "CHAR", "between CSV cells: a comma unless given; tab for .tsv"),
    OptionSpec(
      "records", "PATH[,PATH]", "where the records of a JSON document are, such as data.items"),
    OptionSpec("ignore-unknown", nil, "pass over columns and keys that are no attributes"),
    OptionSpec("create-missing", nil, "make rows that a to-one's key names and are not there"),
    OptionSpec("jobs", "N", "files read at the same time (default \(CommandLimits.jobsDefault))"),
    OptionSpec("base", "FOLDER", "the folder of a plan's files, instead of the plan's own"),
    OptionSpec("rejects", "FILE", "write rejected rows there: file,line,attribute,reason"),
    OptionSpec("json", nil, "end with a line of JSON"),
  ]

  static let notes = [
    """
    FILE may be - for standard input. Rows keep their order within a file, the later wins; files
    are read at the same time. An unquoted empty CSV cell is nil, a quoted one is "". A row whose
    key has a nil is rejected. A to-one's cell is the key of the row it leads to. Exit code 1 if
    rows were rejected, or if the connection was lost and the server no longer knows of some whether
    they went in; 3 if the server is not reachable.
    """,
    """
    A plan names sources, which are imported at the same time; the files of one source follow one
    another in the order given, so that the later wins:

      {"sources": [{
        "files": ["a.json", "b.json"],        relative to the plan, or to --base
        "entity": "Flight", "key": ["ident"],
        "records": ["arrivals", "data.items"],  arrays in a JSON document; none: the root
        "format": "json",                     csv, json, ndjson; otherwise by the name
        "null": ["NA"], "delimiter": ";",     of CSV
        "onConflict": "update",               ignore, fail
        "ignoreUnknown": true,                without a map: pass over other fields
        "map": {                              none: fields are called as the attributes are
          "actualOn": "actual_on",                              a path, or a CSV column
          "city": "address.city",                               into objects; \\. for a dot
          "estimatedOn": {"coalesce": ["estimated_on", "scheduled_on"]},   first not nil
          "aircraftType": {"path": "aircraft_type", "else": "Unknown"},
          "source": {"value": "feed"},                          the same for all
          "origin": {"entity": "Airport", "key": {"icao": "origin.code"}, "missing": "create"}
        }}]}

    "missing" says what to do when the key's row is not there: "create" it with nothing but its
    key, or "reject" this row (default). A key that is nil leaves the to-one nil.
    """,
  ]

  static let examples = [
    "import roost://127.0.0.1:7678 flights.csv --entity Flight --create"
      + " --key carrier,flight,time_hour --null NA",
    "import roost://127.0.0.1:7678 enroute-plan.json",
    "import roost://127.0.0.1:7678 - --format ndjson --entity Event --create < events.ndjson",
  ]
}
