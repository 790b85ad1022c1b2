import RoostClient
import RoostImport
import RoostModel

/// What is to be imported, as the command line says it: a plan, or files into one entity.
enum ImportSource: Sendable {
  case plan(path: String, base: String)
  case files(DirectImport)

  /// Streams that are ready to run, and all their files.
  struct Prepared {
    var streams: [ImportJob]
    var files: [InputFile]
  }

  init(_ arguments: ParsedArguments, files: [String]) throws(CommandFault) {
    guard !arguments.has("entity") else {
      guard !arguments.has("base") else { throw CommandFault("--base is for plans") }
      self = .files(try DirectImport(arguments, files: files))
      return
    }
    guard files.count == 1, files[0].lowercased().hasSuffix(".json") else {
      throw CommandFault(
        "--entity NAME is missing: without it, roost import takes one PLAN.json")
    }
    let direct = [
      "create", "key", "on-conflict", "types", "format", "null", "delimiter", "records",
      "ignore-unknown", "create-missing", "jobs",
    ]
    if let option = direct.first(where: { arguments.has($0) }) {
      throw CommandFault(
        "--\(option) goes with --entity NAME; for \(files[0]) the plan says it")
    }
    let folder = files[0].lastIndex(of: "/").map { String(files[0][..<$0]) } ?? "."
    self = .plan(path: files[0], base: arguments.value("base") ?? (folder.isEmpty ? "/" : folder))
  }

  /// Opens the files, fits them to the server's schema and makes the entity if it is to be made.
  func prepare(_ client: RoostClient, _ console: Console) async throws -> Prepared {
    switch self {
    case .plan(let path, let base):
      return try ImportSource.prepare(
        try ImportSource.readPlan(path), path, base, try await client.schema())
    case .files(let direct):
      return try await direct.prepare(client, console)
    }
  }

  private static func readPlan(_ path: String) throws -> ImportPlan {
    let bytes = try InputFile.readAll(path, bytesMax: ImportLimits.documentBytesMax)
    do {
      return try PlanReader.read(try JSONDocument.read(bytes))
    } catch {
      throw CommandFault("\(path): \(error)")
    }
  }

  private static func prepare(
    _ plan: ImportPlan, _ path: String, _ base: String, _ schema: StoreSchema
  ) throws -> Prepared {
    var prepared = Prepared(streams: [], files: [])
    for (index, source) in plan.sources.enumerated() {
      let binding: PlanBinding
      do {
        binding = try PlanBinding(source, schema: schema)
      } catch {
        throw CommandFault("\(path): sources[\(index)]: \(error)")
      }
      let files = try source.files.map { name in
        try InputFile(name, path: name.hasPrefix("/") ? name : "\(base)/\(name)")
      }
      prepared.files += files
      prepared.streams.append(
        ImportJob(target: binding.target, files: FileQueue(files)) {
          (file) throws(BindingFault) in try binding.stream(file.name)
        })
    }
    return prepared
  }
}
