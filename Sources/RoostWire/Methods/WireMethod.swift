/// How messages go in a call.
package enum MethodShape: UInt8, Hashable, Sendable, CaseIterable {
  /// One message there, one back.
  case unary = 0
  /// One message there, any number back.
  case serverStream = 1
  /// Any number both ways; the first one there is the request.
  case bidirectional = 2

  package var name: String {
    switch self {
    case .unary: "unary"
    case .serverStream: "server-stream"
    case .bidirectional: "bidirectional"
    }
  }
}

/// The methods of version 1; numbers never change meaning (`Protocol/methods.tsv`).
package enum WireMethod: UInt16, Hashable, Sendable, CaseIterable {
  case echo = 1
  case health = 2
  case describe = 4
  case schemaRegister = 5
  case get = 6
  case fetch = 7
  case count = 8
  case write = 10
  case `import` = 11
  case stats = 17
  case cancelOperation = 22

  package var name: String {
    switch self {
    case .echo: "Echo"
    case .health: "Health"
    case .describe: "Describe"
    case .schemaRegister: "SchemaRegister"
    case .get: "Get"
    case .fetch: "Fetch"
    case .count: "Count"
    case .write: "Write"
    case .import: "Import"
    case .stats: "Stats"
    case .cancelOperation: "CancelOperation"
    }
  }

  package var shape: MethodShape {
    switch self {
    case .fetch: .serverStream
    case .import: .bidirectional
    default: .unary
    }
  }

  /// Whether a call may be sent again when its connection is lost before the answer.
  package var isSafeToRepeat: Bool {
    switch self {
    case .write, .import, .cancelOperation: false
    default: true
    }
  }
}
