import RoostClient
import RoostModel

/// One reply of a server's figures.
struct ServerSample: Hashable, Sendable {
  var figures: Figures
  /// When it came, by this machine's clock: seconds since 2001.
  var time: Double

  /// When it was asked for and when it came, in seconds of a clock that nobody sets.
  var asked: Double
  var came: Double

  init(_ entries: [MapEntry], time: Double) {
    figures = Figures(entries)
    self.time = time
    asked = time
    came = time
  }

  /// The rows of a section; nil if the server does not know it or was not asked.
  func rows(_ section: StatisticsSection) -> [Figures]? { figures.list(section.rawValue) }

  mutating func setRows(_ section: StatisticsSection, _ rows: [Figures]) {
    figures.entries.removeAll { $0.key == section.rawValue }
    figures.entries.append(
      MapEntry(section.rawValue, .list(rows.map { .map($0.entries) })))
  }

  /// Whether it is known that another server answered: one that was started since.
  func isOfAnother(than earlier: ServerSample) -> Bool {
    guard let now = figures.text("server.instance"),
      let then = earlier.figures.text("server.instance")
    else { return false }
    return now != then
  }

  /// Seconds the server counted from an earlier sample to this one; nil if it was started between
  /// them.
  ///
  /// A server that is young may have been up for longer than its predecessor was; but it cannot
  /// have counted the time between the two replies.
  func seconds(since earlier: ServerSample) -> Double? {
    // One that lived for a moment may be outlived by the next before that is asked.
    if isOfAnother(than: earlier) { return nil }
    guard let now = figures.number("server.uptimeMilliseconds"),
      let then = earlier.figures.number("server.uptimeMilliseconds")
    else {
      return came > earlier.came ? came - earlier.came : nil
    }
    let counted = (now - then) / 1_000
    let between = asked - earlier.came
    guard counted > 0, counted >= between * 0.99 - MonitorLimits.clockSlackSeconds else {
      return nil
    }
    return counted
  }
}

extension RoostClient {
  /// The server's figures with some sections, each of at most `limit` rows.
  func sample(
    _ sections: [StatisticsSection] = [], limit: Int? = nil, timeout: Duration? = nil
  ) async throws(ClientError) -> ServerSample {
    let asked = WallClock.unset
    let entries = try await statistics(sections: sections, limit: limit, timeout: timeout)
    var sample = ServerSample(entries, time: WallClock.now)
    (sample.asked, sample.came) = (asked, WallClock.unset)
    return sample
  }
}
