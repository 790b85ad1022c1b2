import RoostClient
import RoostImport
import RoostModel

/// `roost query`: rows that a query gives, streamed.
struct QueryCommand: Command {
  static let spec = CommandSpec(
    name: "query",
    usages: [
      "query URL 'ENTITY [where PREDICATE] [sort EXPR [asc|desc], ...] [limit N] [offset N]"
        + " [select EXPR, ...]' [--table|--json|--ndjson|--csv|--count]"
    ],
    summary: "print the rows a query gives",
    options: OutputFormat.options + [OptionSpec("count", nil, "only how many rows there are")],
    notes: [
      """
      Expressions read like Swift: == != < <= > >=, && || !, + - * / %, ?? for a value that may be
      nil, x in ["a", "b"], name.contains("x"), name.startsWith("x"), ~= for contains that ignores
      case and accents, origin.icao over to-ones, flightsTo.count and
      flightsTo.contains { $0.airline.code == "UAL" } over to-manys. Dates are ISO 8601 strings.
      """
    ],
    examples: [
      "query roost://127.0.0.1:7678 'Flight where origin.icao == \"KJFK\" && actualOn == nil"
        + " sort routeDistance desc limit 10'",
      "query roost://127.0.0.1:7678 'Airport sort city select city, name, flightsFrom.count' --csv",
    ])

  private let url: RoostURL
  private let text: String
  private let format: OutputFormat

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.exactly("URL", "QUERY")
    url = try arguments.url(positionals[0])
    text = positionals[1]
    format = try OutputFormat.of(arguments)
  }

  func run(_ console: Console) async throws -> Int32 {
    try await withClient(url) { client in
      let schema = try await client.schema()
      let query = try Query.reading(text, schema)
      if format == .count {
        try console.write("\(try await client.count(query))\n")
      } else {
        try await printRows(query, schema, client, console)
      }
      return ExitCode.done
    }
  }

  private func printRows(
    _ query: Query, _ schema: StoreSchema, _ client: RoostClient, _ console: Console
  ) async throws {
    let plan = try OutputPlan(query, schema: schema)
    var writer = try RowWriter(plan.columns, format: format, to: console)
    for try await batch in client.fetch(plan.query) {
      try writer.write(batch)
    }
    try writer.finish()
  }
}

extension Query {
  /// A query as the command line has it, within what the protocol carries.
  static func reading(_ text: String, _ schema: StoreSchema) throws -> Query {
    let query = try QueryText.query(text, schema: schema)
    guard query.sort.count <= Limits.sortKeysMax else {
      throw CommandFault(
        "the query sorts by \(query.sort.count) keys; at most \(Limits.sortKeysMax) are allowed")
    }
    return query
  }
}

extension RowBatch {
  /// All rows' values without the first columns, which the caller did not ask for.
  func valueRows(dropping count: Int) throws(CommandFault) -> [[Value]] {
    do throws(PackedError) {
      let rows = try rows()
      return count <= 0 ? rows : rows.map { Array($0.dropFirst(count)) }
    } catch {
      throw .unreadableRows(error)
    }
  }
}

extension CommandFault {
  static func unreadableRows(_ error: PackedError) -> CommandFault {
    CommandFault("the server sent rows that cannot be read: \(error)", exitCode: 1)
  }
}
