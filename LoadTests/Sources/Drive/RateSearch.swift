import RoostClient

/// What a search for the highest rate came to.
struct SearchOutcome: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    var rate: Double
    /// What the target's figure was.
    var found: String
    var unsent: UInt64
    var errors: UInt64
    /// Answers per second.
    var reached: Double
    var holds: Bool
  }

  var target: String
  var steps: [Step] = []
  /// The highest rate that held, and the lowest that missed.
  var held: Double?
  var missed: Double?
  var seconds = 0.0
  /// The rate that held did so twice.
  var isConfirmed = false

  /// The result in words.
  var text: String {
    let tries = "\(steps.count) steps, \(Figures.fixed(seconds, decimals: 0)) s"
    guard let held else { return "no rate holds \(target) (\(tries))" }
    var text = "\(Figures.fixed(held, decimals: 0))/s holds \(target)"
    text += isConfirmed ? ", twice" : ", once"
    if let missed {
      let gap = Figures.percent((missed - held) / held)
      text += "; \(Figures.fixed(missed, decimals: 0))/s, \(gap) more, misses it"
    } else {
      text += "; no rate that was tried misses it"
    }
    return text + " (\(tries))"
  }
}

/// Finds the highest rate that holds a target, each step a run of its own with a warm-up.
struct RateSearch {
  let url: RoostURL
  let terminal: Terminal
  let target: Threshold

  /// Gives the last run that held, or else the last of all, with what the search came to.
  func run(_ options: LoadOptions) async throws(LoadError) -> RunResult {
    let begin = LoopInstant.now
    var outcome = SearchOutcome(target: target.text)
    let capacity = try await Calibration(url: url, terminal: terminal).capacity(options)
    var bisection = RateBisection(first: capacity / 2)
    var best: RunResult?
    var last: RunResult?
    while let rate = nextRate(bisection, outcome), !Interruption.hasCome,
      elapsed(since: begin) < LoadLimits.searchSecondsMax
    {
      let isRepeated = rate == bisection.held
      let result = try await step(options, rate)
      let holds = holds(result)
      outcome.steps.append(describe(result, rate, holds))
      terminal.note(line(outcome.steps[outcome.steps.count - 1]))
      bisection.tried(rate, holds: holds)
      outcome.isConfirmed = holds && isRepeated
      if holds { best = result }
      last = result
    }
    outcome.held = bisection.held
    outcome.missed = bisection.missed
    outcome.seconds = elapsed(since: begin)
    guard var result = bisection.held == nil ? last : best ?? last else {
      throw LoadError("the search was interrupted before its first step", .failed)
    }
    result.verdicts.append(
      Verdict(
        rule: "highest rate for \(target.text)", found: outcome.text, holds: outcome.held != nil))
    result.search = outcome
    return result
  }

  /// The rate that held is tried again when there is no other one to try.
  private func nextRate(_ bisection: RateBisection, _ outcome: SearchOutcome) -> Double? {
    if let next = bisection.next { return next }
    let hasSteps = bisection.steps < LoadLimits.searchStepsMax + 2
    return outcome.isConfirmed || !hasSteps ? nil : bisection.held
  }

  private func step(_ options: LoadOptions, _ rate: Double) async throws(LoadError) -> RunResult {
    var options = options
    options.profile = nil
    options.ratePerSecond = UInt64(rate)
    options.durationSeconds = min(options.durationSeconds, LoadLimits.searchStepSecondsMax)
    options.warmupSeconds = min(options.warmupSeconds, options.durationSeconds)
    return try await LoadRun(options: options, url: url, terminal: terminal).run()
  }

  /// Answers that come at a lower rate than the requests mean a queue that grows.
  private static let reachedShare = 0.9

  /// A rate that was not sent or not reached was not held, whatever its latencies say.
  private func holds(_ result: RunResult) -> Bool {
    let requests = result.tallies.total.requests
    let reached = result.perSecond(requests)
    return target.judge(result).holds && result.unsent == 0
      && reached >= RateSearch.reachedShare * Double(result.options.ratePerSecond ?? 0)
      && (target.allowsErrors || result.tallies.total.errors == 0)
  }

  private func describe(_ result: RunResult, _ rate: Double, _ holds: Bool) -> SearchOutcome.Step {
    SearchOutcome.Step(
      rate: rate, found: target.judge(result).found, unsent: result.unsent,
      errors: result.tallies.total.errors,
      reached: result.perSecond(result.tallies.total.requests), holds: holds)
  }

  private func line(_ step: SearchOutcome.Step) -> String {
    "\(Figures.fixed(step.rate, decimals: 0))/s: \(step.found), "
      + (step.holds ? "holds" : "misses")
  }

  private func elapsed(since begin: LoopInstant) -> Double {
    Double(LoopInstant.now.nanoseconds - begin.nanoseconds) / 1e9
  }
}
