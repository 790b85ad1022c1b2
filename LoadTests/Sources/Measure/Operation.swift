/// What a request does.
enum Operation: Int, CaseIterable, Hashable, Sendable {
  /// One row by its identifier.
  case get
  /// Many rows by their identifiers in one request.
  case batch
  /// One row by its unique constraint.
  case lookup
  /// A page of rows in order of identifiers, from a random one on.
  case fetch
  /// A page whose reader takes it slowly.
  case slow
  /// How many rows a range of identifiers holds.
  case count
  /// One attribute of one row gets another value of its own type.
  case write
  /// A row of the run's own is made or changed, by its unique constraint.
  case upsert
  /// A row of the run's own is made.
  case insert
  /// A row the run has made is deleted.
  case delete
  /// A connection is made, asked for an echo and closed.
  case churn
  /// Bytes there and back; the protocol and the network alone.
  case echo
  /// What a monitor asks: the server's figures with all their sections.
  case stats

  var name: String { "\(self)" }

  /// Whether it changes the store.
  var isWrite: Bool {
    switch self {
    case .write, .upsert, .insert, .delete: true
    default: false
    }
  }

  /// Whether it works on rows that the run makes for itself.
  var needsOwnRows: Bool {
    switch self {
    case .upsert, .insert, .delete: true
    default: false
    }
  }

  /// Whether it needs rows that exist.
  var needsRows: Bool {
    switch self {
    case .get, .batch, .lookup, .fetch, .slow, .count, .write: true
    default: false
    }
  }

  /// Whether it works on the rows of an entity at all.
  var needsEntity: Bool { needsRows || needsOwnRows }

  /// Whether it is a stream, of which a connection carries fewer.
  var isStream: Bool { self == .fetch || self == .slow }

  init?(named name: String) {
    guard let found = Operation.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}
