import RoostClient
import RoostImport
import RoostModel

/// `roost put`: writes rows given as JSON.
struct PutCommand: Command {
  static let spec = CommandSpec(
    name: "put",
    usages: ["put URL ENTITY JSON [--row N] [--json]"],
    summary: "insert a row, or change the one with its key",
    options: [
      OptionSpec("row", "N", "change row N instead of finding it by key"),
      OptionSpec("json", nil, "end with a line of JSON"),
    ],
    notes: [
      """
      JSON is an object, or an array of them that are written together or not at all; - reads it
      from standard input. Of a row that is there only the named attributes change. Dates are
      ISO 8601 strings; a to-one is its destination's key ("KJFK" or {"icao": "KJFK"}), "#7" for
      row 7, or null.
      """
    ],
    examples: [
      "put roost://127.0.0.1:7678 Airport '{\"icao\": \"KJFK\", \"city\": \"New York\"}'"
    ])

  private let url: RoostURL
  private let entityName: String
  private let text: String
  private let row: Int?
  private let endsWithJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.exactly("URL", "ENTITY", "JSON")
    url = try arguments.url(positionals[0])
    entityName = positionals[1]
    text = positionals[2]
    row = try arguments.number("row", least: 1)
    endsWithJSON = arguments.has("json")
  }

  func run(_ console: Console) async throws -> Int32 {
    let document = try document()
    return try await withClient(url) { client in
      let schema = try await client.schema()
      let entity = try schema.requiredEntity(entityName)
      let batch = WriteBatch(
        operations: try operations(document, entity, schema), schemaVersion: schema.version)
      let result = try await client.write(batch)
      try report(result, entity, console)
      return ExitCode.done
    }
  }

  private func document() throws -> JSONValue {
    let bytes =
      text == "-"
      ? try InputFile.readAll("-", bytesMax: ImportLimits.documentBytesMax)
      : Array(text.utf8)
    do {
      return try JSONDocument.read(bytes)
    } catch {
      throw CommandFault("JSON, \(error)")
    }
  }

  private func operations(
    _ document: JSONValue, _ entity: EntitySchema, _ schema: StoreSchema
  ) throws(CommandFault) -> [WriteOperation] {
    var rows = [document]
    if case .array(let items) = document { rows = items }
    guard row == nil || rows.count == 1 else { throw CommandFault("--row takes a single object") }
    let reader = RowAssignments(entity, in: schema)
    var operations: [WriteOperation] = []
    for row in rows {
      operations.append(try operation(try reader.assignments(row), entity))
    }
    return operations
  }

  private func operation(
    _ assignments: [Assignment], _ entity: EntitySchema
  ) throws(CommandFault) -> WriteOperation {
    if let row { return .update(entity.id, .row(Int64(row)), assignments, ifRevision: nil) }
    guard !entity.uniqueConstraints.isEmpty else {
      return .insert(entity.id, row: nil, assignments)
    }
    let named = Set(assignments.map(\.property))
    let whole = entity.uniqueConstraints.first { names in
      names.allSatisfy { name in entity.property(named: name).map { named.contains($0.id) } ?? false
      }
    }
    guard let whole else {
      let keys = entity.uniqueConstraints.map { $0.joined(separator: ",") }
      throw CommandFault(
        "the row lacks its key: \(keys.joined(separator: " or ")); --row N changes row N")
    }
    return .upsert(entity.id, row: nil, constraint: entity.constraint(whole), assignments)
  }

  private func report(
    _ result: WriteResult, _ entity: EntitySchema, _ console: Console
  ) throws(ClosedOutput) {
    if endsWithJSON {
      let rows = result.results.map { one in
        "{\"row\":\(one.row),\"outcome\":\"\(one.outcome)\"}"
      }
      return try console.write(
        "{\"commit\":\(result.commit),\"results\":[\(rows.joined(separator: ","))]}\n")
    }
    for one in result.results {
      try console.write("\(one.outcome) \(entity.name) #\(one.row)\n")
    }
  }
}
