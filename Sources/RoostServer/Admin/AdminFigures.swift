import RoostAdmin
import RoostModel

/// What the admin port tells of this server; runs on the port's threads.
///
/// The main actor builds no more than its own numbers; the store's are kept under a lock of their
/// own, and SQLite is not called.
struct AdminFigures: AdminSource {
  let core: ServerCore
  let engine: any StoreEngine
  let phase: ServerPhase

  func reasonNotReady() -> String? {
    switch phase.step {
    case .starting: return "starting"
    case .draining: return "draining"
    case .closed: return "closed"
    case .serving: break
    }
    guard let store = try? engine.statistics() else { return "the store does not answer" }
    let figures = StoreMetrics(store)
    if figures.isClosed { return "the store is closed" }
    if figures.isWriterBroken {
      return "the writer is broken: a commit of unknown outcome; the next write opens anew"
    }
    guard ask({ _ in true }) != nil else { return "the main thread does not answer" }
    // A drain that began meanwhile.
    return phase.step == .serving ? nil : "draining"
  }

  func metrics() -> [MetricFamily]? {
    guard let store = try? engine.statistics(),
      let server = ask({ core in core.metricFamilies })
    else { return nil }
    let isReady = phase.step == .serving && !StoreMetrics(store).isWriterBroken
    return server + StoreMetrics(store).families + ProcessMetrics.families(isReady: isReady)
  }

  private func ask<Result: Sendable>(
    _ question: @escaping @MainActor @Sendable (ServerCore) -> Result
  ) -> Result? {
    Reply.waiting(milliseconds: AdminLimits.answerMilliseconds) { sender in
      core.post { [core] in sender.send(question(core)) }
    }
  }
}

/// Figures that belong to neither the server nor the store.
enum ProcessMetrics {
  static func families(isReady: Bool) -> [MetricFamily] {
    var families = [
      MetricFamily(
        "roost_ready", .gauge, "1 while calls are served, 0 while draining or not writable.",
        .whole(isReady ? 1 : 0))
    ]
    func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: MetricValue?) {
      if let value { families.append(MetricFamily("process_" + name, kind, help, value)) }
    }
    add(
      "resident_memory_bytes", .gauge, "Memory the process holds.",
      ProcessFigures.residentBytes.map(MetricValue.whole))
    add(
      "cpu_seconds_total", .counter, "Processor time of all threads.",
      ProcessFigures.cpuMicroseconds.map { .fraction(Double($0) / 1e6) })
    add(
      "open_fds", .gauge, "Open files.", ProcessFigures.descriptors.map(MetricValue.whole))
    add(
      "max_fds", .gauge, "Files that may be open.",
      ProcessFigures.descriptorsMax.map(MetricValue.whole))
    add("threads", .gauge, "Threads.", ProcessFigures.threads.map(MetricValue.whole))
    return families
  }
}
