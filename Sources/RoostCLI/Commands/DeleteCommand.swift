import RoostClient
import RoostModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `roost delete`: deletes the rows that a query gives.
struct DeleteCommand: Command {
  static let spec = CommandSpec(
    name: "delete",
    usages: ["delete URL 'QUERY' [--yes] [--json]"],
    summary: "delete the rows a query gives",
    options: [
      OptionSpec("yes", nil, "do not ask"),
      OptionSpec("json", nil, "end with a line of JSON"),
    ],
    notes: [
      """
      The schema's delete rules hold: what cascades goes too, what denies stops the delete. Rows go
      in transactions of \(rowsOfWrite); each is whole. Without --yes it asks, and without a
      terminal to ask on it refuses.
      """
    ],
    examples: ["delete roost://127.0.0.1:7678 'Flight where actualOn != nil' --yes"])

  /// Rows of one transaction.
  private nonisolated static let rowsOfWrite = 1_000

  private let url: RoostURL
  private let text: String
  private let isSure: Bool
  private let endsWithJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    let positionals = try arguments.exactly("URL", "QUERY")
    url = try arguments.url(positionals[0])
    text = positionals[1]
    isSure = arguments.has("yes")
    endsWithJSON = arguments.has("json")
  }

  func run(_ console: Console) async throws -> Int32 {
    try await withClient(url) { client in
      let schema = try await client.schema()
      var query = try Query.reading(text, schema)
      query.selection = .properties([])
      if !isSure, try await !isConfirmed(query, schema, client, console) { return ExitCode.failed }
      let count = try await delete(query, schema, client)
      try console.write(
        endsWithJSON
          ? "{\"deleted\":\(count)}\n" : "\(NumberForm.rows(count)) deleted\n")
      return ExitCode.done
    }
  }

  private func isConfirmed(
    _ query: Query, _ schema: StoreSchema, _ client: RoostClient, _ console: Console
  ) async throws -> Bool {
    let count = try await client.count(query)
    let name = schema.entity(query.entity)?.name ?? ""
    guard console.isInteractive else {
      throw CommandFault(
        "this would delete \(NumberForm.rows(count)) of \(name); --yes says so without asking")
    }
    console.show("Delete \(NumberForm.rows(count)) of \(name)? [y/N] ")
    return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
  }

  private func delete(
    _ query: Query, _ schema: StoreSchema, _ client: RoostClient
  ) async throws -> Int {
    var ids: [Int64] = []
    var count = 0
    for try await batch in client.fetch(query) {
      for row in try batch.valueRows(dropping: 0) {
        guard case .int(let id)? = row.first else { continue }
        ids.append(id)
        if ids.count == DeleteCommand.rowsOfWrite {
          count += try await delete(ids, query.entity, schema, client)
          ids = []
        }
      }
    }
    return count + (try await delete(ids, query.entity, schema, client))
  }

  /// Deletes rows together. One that a cascade or another client took is left out: it is gone.
  private func delete(
    _ ids: [Int64], _ entity: EntityID, _ schema: StoreSchema, _ client: RoostClient
  ) async throws -> Int {
    var rest = ids
    while !rest.isEmpty {
      let operations = rest.map { WriteOperation.delete(entity, .row($0), ifRevision: nil) }
      do throws(ClientError) {
        _ = try await client.write(
          WriteBatch(operations: operations, schemaVersion: schema.version))
        return rest.count
      } catch {
        guard error.code == .status(.notFound), let gone = error.operation, gone < rest.count else {
          throw error
        }
        rest.remove(at: gone)
      }
    }
    return 0
  }
}
