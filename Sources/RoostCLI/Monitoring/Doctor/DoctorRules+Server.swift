extension DoctorRules {
  /// What clients and the process may run into.
  static let server: [DoctorRule] = [
    DoctorRule(name: "snapshotAge", subject: "oldest snapshot") { sample in
      let client = sample.figures.number("server.snapshots.oldestClient")
      let holder = client.map { "c#\(FigureForm.fixed($0, 0))" } ?? "a client"
      return DoctorRule.above(
        sample.figures.number("server.snapshots.oldestMilliseconds"),
        MonitorLimits.snapshotMilliseconds, .warning, { FigureForm.time(milliseconds: $0) },
        (
          "\(holder) holds a snapshot so old that the log cannot be taken in",
          "see what it does in roost stats URL operations; roost top URL can end it"
        ))
    },
    DoctorRule(name: "slowConsumers", subject: "slow clients") { sample in
      let client = sample.figures.number("server.unsentBytesHighestClient")
      let unsent = FigureForm.bytes(sample.figures.number("server.unsentBytesHighest"))
      let most = client.map { ", most for c#\(FigureForm.fixed($0, 0)): \(unsent)" } ?? ""
      return DoctorRule.none(
        sample.figures.number("server.connections.slow"), .warning,
        (
          "clients do not take what they asked for\(most)",
          "look at unsent and stalled in roost stats URL clients, then at those programs"
        ))
    },
    DoctorRule(name: "refused", subject: "calls refused") { sample in
      DoctorRule.none(
        sample.figures.number("server.window", "refused"), .warning,
        (
          "calls of the last \(window(sample)) were refused because a queue was full",
          "clients should send less at once; roost top URL shows who sends most"
        ))
    },
    DoctorRule(name: "connections", subject: "connections") { sample in
      let most = sample.figures.number("server.connections.max")
      return DoctorRule.above(
        sample.figures.number("server.connections.open"),
        most.map { $0 * MonitorLimits.connectionsShare }, .warning, FigureForm.grouped,
        (
          "the server has room for \(FigureForm.grouped(most)) connections and is nearly full",
          "let programs share a client instead of opening one for each call"
        ))
    },
    DoctorRule(name: "descriptors", subject: "open files") { sample in
      let most = sample.figures.number("server.descriptorsMax")
      return DoctorRule.above(
        sample.figures.number("server.descriptors"),
        most.map { $0 * MonitorLimits.descriptorsShare }, .warning, FigureForm.grouped,
        (
          "the process may open \(FigureForm.grouped(most)) files and sockets and nearly has",
          "raise its limit (ulimit -n, LimitNOFILE=) and start it again"
        ))
    },
    DoctorRule(name: "clockSteps", subject: "steps of the clock") { sample in
      DoctorRule.none(
        sample.figures.number("server.clock.steps"), .warning,
        (
          "the machine's clock jumped by more than a second while the server ran",
          "let a time service slew the clock; dates that clients write may be out of order"
        ))
    },
    DoctorRule(name: "uptime", subject: "age of the server") { sample in
      guard let milliseconds = sample.figures.number("server.uptimeMilliseconds") else {
        return .untold
      }
      let age = FigureForm.time(milliseconds: milliseconds)
      guard milliseconds < MonitorLimits.windowSeconds * 1_000 else { return .well(age) }
      return .found(
        DoctorFinding(
          level: nil, what: "the server is too young to judge rates and latencies", figure: age,
          threshold: "a minute", advice: "ask again in a minute"))
    },
  ]
}
