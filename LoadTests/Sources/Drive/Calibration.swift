import RoostClient

/// Finds the capacity that a scenario's rates are shares of.
struct Calibration {
  let url: RoostURL
  let terminal: Terminal

  /// The options with rates in place of shares; as they are where nothing depends on it.
  func resolve(_ options: LoadOptions) async throws(LoadError) -> LoadOptions {
    guard var profile = options.profile, profile.needsCapacity else { return options }
    profile.capacity = try await capacity(options)
    var options = options
    options.profile = profile
    return options
  }

  /// Requests per second that a closed loop gets answered.
  func capacity(_ options: LoadOptions) async throws(LoadError) -> Double {
    terminal.say("finding the capacity in a closed loop")
    var closed = options
    closed.profile = nil
    closed.ratePerSecond = nil
    closed.thresholds = []
    closed.reportFile = nil
    closed.measuringFile = nil
    closed.imports = nil
    closed.durationSeconds = min(LoadLimits.capacitySeconds, options.durationSeconds)
    closed.warmupSeconds = min(options.warmupSeconds, closed.durationSeconds)
    let result = try await LoadRun(options: closed, url: url, terminal: terminal).run()
    let total = result.tallies.total
    let capacity = result.perSecond(total.requests - total.errors)
    guard capacity >= 1 else {
      throw LoadError("the server answered nothing: its capacity is not known", .failed)
    }
    return capacity
  }
}
