import RoostClient

/// One of roost's commands that speaks to a server.
///
/// Its work runs on the main actor: writing to a slow terminal or pipe blocks, and must not block
/// the pool that the client's tasks need.
@MainActor
protocol Command {
  static var spec: CommandSpec { get }

  /// Reads the arguments.
  ///
  /// - Throws: ``CommandFault`` that says what is wrong with the call and what would be right.
  init(_ arguments: ParsedArguments) throws(CommandFault)

  /// Does it; gives the exit code.
  func run(_ console: Console) async throws -> Int32
}

extension Command {
  /// A client for the URL, connected.
  func connect(_ url: RoostURL) async throws -> RoostClient {
    try await RoostClient.connect(to: url, options: .ofCommands)
  }

  /// Runs `body` with a connected client and closes it.
  func withClient<Result>(
    _ url: RoostURL, _ body: (RoostClient) async throws -> Result
  ) async throws -> Result {
    let client = try await connect(url)
    defer { client.close() }
    return try await body(client)
  }
}

extension ClientOptions {
  /// Those of every command that has no reason for others.
  static var ofCommands: ClientOptions {
    var options = ClientOptions()
    options.connection.agent = "roost/1"
    return options
  }
}

extension ParsedArguments {
  /// A server's address.
  func url(_ text: String) throws(CommandFault) -> RoostURL {
    guard !text.hasPrefix("roosts://") else {
      throw CommandFault("\(text): TLS is not in this version; use roost://HOST:PORT")
    }
    do throws(ClientError) {
      return try RoostURL(text)
    } catch {
      throw CommandFault(error.description)
    }
  }
}
