/// What a request does.
enum Operation: Int, CaseIterable, Hashable, Sendable {
  /// One row by its identifier.
  case get
  /// A page of rows in order of identifiers, from a random one on.
  case fetch
  /// How many rows a range of identifiers holds.
  case count
  /// One attribute of one row gets another value of its own type.
  case write
  /// Bytes there and back; the protocol and the network alone.
  case echo

  var name: String {
    switch self {
    case .get: "get"
    case .fetch: "fetch"
    case .count: "count"
    case .write: "write"
    case .echo: "echo"
    }
  }

  init?(named name: String) {
    guard let found = Operation.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
