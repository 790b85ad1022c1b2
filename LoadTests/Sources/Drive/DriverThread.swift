import RoostClient

/// A ``LoadDriver`` on a thread of its own, as others see it.
final class DriverThread: Sendable {
  private let loop: ClientLoop
  private let driver: Confined<LoadDriver?>

  init(settings: DriverSettings) throws(ClientError) {
    loop = try ClientLoop()
    let driver = Confined<LoadDriver?>(nil)
    self.driver = driver
    loop.execute { driver.value = LoadDriver($0, settings: settings) }
  }

  /// Makes the connections.
  func connect(_ count: Int) async throws(ClientError) -> ServerInfo {
    let result = await withCheckedContinuation {
      (waiter: CheckedContinuation<Result<ServerInfo, ClientError>, Never>) in
      loop.execute { [driver] _ in
        guard let driver = driver.value else {
          return waiter.resume(returning: .failure(DriverThread.stopped))
        }
        driver.connect(count) { waiter.resume(returning: $0) }
      }
    }
    return try result.get()
  }

  /// Runs a plan to its end and tells the board what happens.
  func run(_ plan: LoadPlan, _ board: ScoreBoard) async -> DriverResult {
    await withCheckedContinuation { waiter in
      loop.execute { [driver] _ in
        guard let driver = driver.value else { return waiter.resume(returning: DriverResult()) }
        driver.begin(plan, board) { waiter.resume(returning: $0) }
      }
    }
  }

  /// Ends the run before its time.
  func stop() { loop.execute { [driver] _ in driver.value?.stop() } }

  /// Closes the connections and ends the thread.
  func shutDown() {
    loop.execute { [driver] _ in driver.value = nil }
    loop.stop()
  }

  private static let stopped = ClientError(.closed, .local, "the thread has ended")
}

/// A value of one thread, carried by others.
///
/// `@unchecked Sendable`: it is read and written in jobs of one loop only, which run one after the
/// other on one thread.
final class Confined<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
