import RoostClient

/// Connections that are being made: how many are left, and whom to tell.
struct ConnectAttempt {
  private let count: Int
  private var begun = 0
  private var made = 0
  private var completion: ((Result<ServerInfo, ClientError>) -> Void)?

  init(count: Int, completion: @escaping (Result<ServerInfo, ClientError>) -> Void) {
    self.count = count
    self.completion = completion
  }

  /// The next connection to make; nil when all are begun or one has failed.
  mutating func takeNext() -> Int? {
    guard begun < count, completion != nil else { return nil }
    defer { begun += 1 }
    return begun
  }

  mutating func succeeded(_ server: ServerInfo) {
    made += 1
    if made == count { end(.success(server)) }
  }

  /// Tells once.
  mutating func end(_ result: Result<ServerInfo, ClientError>) {
    let completion = completion
    self.completion = nil
    completion?(result)
  }
}

/// Shares a value among closures of one thread.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
