import RoostImport
import RoostModel
import RoostServer

/// `roost serve`: a store behind a port, until SIGTERM or SIGINT.
enum ServeCommand {
  static let spec = CommandSpec(
    name: "serve",
    usages: [
      "serve [--store PATH|:memory:] [--listen HOST:PORT] [--port-file PATH]"
        + " [--durability full|group|relaxed] [--schema FILE] [--insecure]"
        + " [--admin HOST:PORT [--admin-token-file FILE]]"
    ],
    summary: "serve a store",
    options: [
      OptionSpec("store", "PATH|:memory:", "the store's file (default ./roost.store)"),
      OptionSpec(
        "listen", "HOST:PORT", "where to listen (default 127.0.0.1:7678); port 0 takes a free one"),
      OptionSpec("port-file", "PATH", "write the port there when ready"),
      OptionSpec(
        "durability", "LEVEL",
        "full: fsync before every acknowledgement (default);\n"
          + "group: every few milliseconds; relaxed: when the system likes"
      ),
      OptionSpec("schema", "FILE", "register this schema at start; see roost schema --json"),
      OptionSpec("insecure", nil, "listen beyond this machine without TLS and tokens"),
      OptionSpec(
        "admin", "HOST:PORT",
        "answer /metrics (Prometheus), /healthz and /readyz there over HTTP;\n"
          + "beyond this machine only with a token; port 0 takes a free one"),
      OptionSpec(
        "admin-token-file", "FILE", "one line: what Authorization: Bearer must bring there"),
    ],
    notes: [
      "/healthz is 200 while the process answers. /readyz is 200 while calls are served, and 503\n"
        + "with the reason once it drains, or when the store cannot be written."
    ],
    examples: [
      "serve --store flights.store", "serve --store :memory: --listen 127.0.0.1:0 --port-file port",
      "serve --store flights.store --admin 127.0.0.1:7679",
    ])

  /// Serves until SIGTERM or SIGINT has drained; called on the main thread, below no await.
  @MainActor
  static func run(_ arguments: [String], _ console: Console) -> Int32 {
    do {
      let parsed = try ParsedArguments(arguments, for: spec)
      if parsed.asksForHelp {
        try console.write(spec.help)
        try console.flush()
        return ExitCode.done
      }
      try serve(try ServeOptions(parsed), console)
      return ExitCode.done
    } catch {
      let fault = CommandFault.of(error)
      console.note("roost: \(fault)")
      return fault.exitCode
    }
  }

  /// An address or a file that cannot be served is a wrong call; what a sound store says is not.
  @MainActor
  static func makeServer(_ configuration: ServerConfiguration) throws -> RoostServer {
    do throws(StoreError) {
      return try RoostServer(configuration)
    } catch {
      throw ServeCommand.fault(error, store: configuration.store)
    }
  }

  /// Every store that cannot be opened ends with one code, and the message names its file.
  static func fault(_ error: StoreError, store: ServerConfiguration.Store) -> CommandFault {
    // An address or a token: the store has no part in it.
    if error.status == .invalidArgument { return CommandFault(error.message) }
    guard case .file(let path) = store else { return CommandFault.of(error) }
    let isUnusable = error.status == .failedPrecondition || error.status == .dataLoss
    guard isUnusable else { return CommandFault.of(error) }
    var text = error.message.contains(path) ? error.message : "the store \(path): \(error.message)"
    if let cause = error.cause { text += " (\(cause))" }
    if error.status == .dataLoss {
      text += "; name a store of Roost's, or a file that is not there yet to make one"
    }
    return CommandFault(text)
  }

  @MainActor
  private static func serve(_ options: ServeOptions, _ console: Console) throws {
    ShutdownSignals.holdBack()
    if let path = options.portFile { try PortFile.prepare(path) }
    let server = try makeServer(try options.configuration())
    var failure: CommandFault?
    do throws(StoreError) {
      try server.run { server in
        let host = options.host.contains(":") ? "[\(options.host)]" : options.host
        do throws(CommandFault) {
          if let path = options.portFile { try PortFile.write(server.port, to: path) }
        } catch {
          failure = error
        }
        // One line that scripts wait for; it must not stay in a buffer.
        try? console.write("roost: serving \(options.store) on roost://\(host):\(server.port)\n")
        if let admin = options.admin {
          try? console.write("roost: admin on http://\(admin.name):\(server.adminPort)\n")
        }
        try? console.flush()
        if let failure { console.note("roost: \(failure)") }
      }
    } catch {
      // Nothing was served; the words name the address, and a status says no more to people.
      throw CommandFault(error.message, exitCode: ExitCode.failed)
    }
  }
}

/// What `roost serve` was asked for.
struct ServeOptions: Hashable {
  var store: String
  var host: String
  var port: UInt16
  var portFile: String?
  var durability: Durability
  var schemaFile: String?
  var isInsecure: Bool
  var admin: AdminOptions?

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    if let extra = arguments.positionals.first {
      throw CommandFault(
        "roost serve: \"\(extra)\" is one argument too many; --store names the file")
    }
    store = arguments.value("store") ?? "./roost.store"
    guard !store.isEmpty else { throw CommandFault("--store needs a path, or :memory:") }
    (host, port) = try ServeOptions.address(arguments.value("listen") ?? "127.0.0.1:7678")
    portFile = arguments.value("port-file")
    durability =
      try arguments.choice("durability", Durability.allCases, \.rawValue) ?? .full
    schemaFile = arguments.value("schema")
    isInsecure = arguments.has("insecure")
    admin = try AdminOptions(arguments)
  }

  /// `HOST:PORT`, `[::1]:PORT`, `:PORT` or a host alone.
  static func address(_ text: String) throws(CommandFault) -> (host: String, port: UInt16) {
    var host = text[...]
    var port: UInt16 = 7_678
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      host = text[..<colon]
      guard let number = UInt16(text[text.index(after: colon)...]) else {
        throw CommandFault("--listen \(text): should be HOST:PORT with a port of 0 to 65535")
      }
      port = number
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    return (host.isEmpty ? "127.0.0.1" : String(host), port)
  }

  func configuration() throws -> ServerConfiguration {
    ServerConfiguration(
      store: store == ":memory:" ? .memory : .file(store), host: host, port: port,
      durability: durability, schema: try schemaFile.map(ServeOptions.schema),
      allowsInsecure: isInsecure, admin: try admin?.endpoint())
  }

  private static func schema(_ path: String) throws -> StoreSchema {
    let bytes = try InputFile.readAll(path, bytesMax: ImportLimits.documentBytesMax)
    do {
      return try SchemaFile.read(try JSONDocument.read(bytes))
    } catch {
      throw CommandFault("--schema \(path): \(error)")
    }
  }
}
