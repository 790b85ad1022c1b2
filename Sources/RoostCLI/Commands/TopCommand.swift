import RoostClient

/// `roost top`: a server's clients, operations, queries, models and imports as they change.
struct TopCommand: Command {
  static let spec = CommandSpec(
    name: "top",
    usages: ["top URL"],
    summary: "watch a server on the whole terminal; ends operations",
    options: [],
    notes: [
      """
      Keys: 1-5 or tab for clients, operations, queries, models, imports; left and right choose the
      column to order by, r reverses; up and down select; k ends the selected operation; p pauses;
      + and - change the interval; h helps; q quits.
      """
    ],
    examples: ["top roost://127.0.0.1:7678"])

  private let url: RoostURL
  private let address: String

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    address = try arguments.exactly("URL")[0]
    url = try arguments.url(address)
  }

  func run(_ console: Console) async throws -> Int32 {
    guard RawTerminal.isThere(console) else {
      throw CommandFault(
        "roost top needs a terminal to draw on; roost stats \(address) prints the figures once, "
          + "with --watch a row each second")
    }
    return try await withClient(url) { client in
      try await TopSession(client, url: address, console).run()
    }
  }
}
