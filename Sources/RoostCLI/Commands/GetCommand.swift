import RoostClient
import RoostModel

/// `roost get`: single rows by key.
struct GetCommand: Command {
  static let spec = CommandSpec(
    name: "get",
    usages: ["get URL ENTITY KEY... [--table|--json|--ndjson|--csv]"],
    summary: "print rows by key",
    options: OutputFormat.options,
    notes: [
      """
      KEY is the entity's first unique constraint, its parts joined by commas (a part that holds
      one in double quotes), or #7 for row 7. Exit code 1 if a row does not exist.
      """
    ],
    examples: [
      "get roost://127.0.0.1:7678 Airport KJFK",
      "get roost://127.0.0.1:7678 Flight UAL1545 '#7' --json",
    ])

  private let url: RoostURL
  private let entityName: String
  private let keys: [String]
  private let format: OutputFormat

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.atLeast("URL", "ENTITY", "KEY")
    url = try arguments.url(positionals[0])
    entityName = positionals[1]
    keys = Array(positionals.dropFirst(2))
    format = try OutputFormat.of(arguments)
    guard keys.count <= Limits.getKeysMax else {
      throw CommandFault("a get takes at most \(Limits.getKeysMax) keys, not \(keys.count)")
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    try await withClient(url) { client in
      let schema = try await client.schema()
      let entity = try schema.requiredEntity(entityName)
      let rows = try await self.rows(try keys.map { try RowKey($0, of: entity) }, entity, client)
      let names = try await ReferenceNames(rows.compactMap(\.self), entity, schema, client)
      try show(rows, entity, names, console)
      for (key, row) in zip(keys, rows) where row == nil {
        console.note("roost: there is no \(entity.name) \(key)")
      }
      return rows.contains { $0 == nil } ? ExitCode.failed : ExitCode.done
    }
  }

  /// Identifier and columns of each row; nil for one that does not exist.
  private func rows(
    _ keys: [RowKey], _ entity: EntitySchema, _ client: RoostClient
  ) async throws -> [[Value]?] {
    var ids: [Int64] = []
    var values: [[Value]] = []
    for key in keys {
      switch key {
      case .row(let id): ids.append(id)
      case .key(let parts): values.append(parts)
      }
    }
    let constraint = entity.constraint(entity.uniqueConstraints.first ?? [])
    var byID = ids.isEmpty ? [] : try await client.get(entity.id, ids: ids).valueRows(dropping: 0)
    var byKey =
      values.isEmpty
      ? []
      : try await client.get(entity.id, constraint: constraint, keys: values)
        .valueRows(dropping: 0)
    return keys.map { key in
      let row: [Value]?
      switch key {
      case .row: row = byID.isEmpty ? nil : byID.removeFirst()
      case .key: row = byKey.isEmpty ? nil : byKey.removeFirst()
      }
      return row?.first?.isNull == false ? row : nil
    }
  }

  private func show(
    _ rows: [[Value]?], _ entity: EntitySchema, _ names: ReferenceNames, _ console: Console
  ) throws {
    let columns =
      [OutputColumn(name: "id", type: nil)]
      + entity.properties.filter(\.isColumn).map { property in
        OutputColumn(name: property.name, type: names.type(of: property))
      }
    let found = rows.compactMap(\.self).map { names.resolved($0) }
    if format == .table, found.count == 1, let row = found.first {
      return try console.write(vertical(row, columns, console))
    }
    if format == .table, found.isEmpty { return }
    var writer = try RowWriter(columns, format: format, to: console)
    for row in found { try writer.write(row) }
    try writer.finish()
  }

  /// One row reads best from top to bottom.
  private func vertical(
    _ row: [Value], _ columns: [OutputColumn], _ console: Console
  ) -> String {
    let style = Style(isColoured: console.outputWidth != nil)
    let width = columns.map { DisplayWidth.of($0.name) }.max() ?? 0
    return zip(columns, row).map { column, value in
      let gap = String(repeating: " ", count: width - DisplayWidth.of(column.name))
      let text = RowWriter.text(value, column) ?? style.dim("nil")
      return "\(style.bold(column.name))\(gap)  \(TableWriter.oneLine(text))\n"
    }.joined()
  }
}
