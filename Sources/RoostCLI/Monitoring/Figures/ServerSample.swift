import FoundationEssentials
import RoostClient
import RoostModel

/// One reply of a server's figures.
struct ServerSample: Hashable, Sendable {
  var figures: Figures
  /// When it came, by this machine's clock: seconds since 2001.
  var time: Double

  init(_ entries: [MapEntry], time: Double = Date().timeIntervalSinceReferenceDate) {
    figures = Figures(entries)
    self.time = time
  }

  /// The rows of a section; nil if the server does not know it or was not asked.
  func rows(_ section: StatisticsSection) -> [Figures]? { figures.list(section.rawValue) }

  mutating func setRows(_ section: StatisticsSection, _ rows: [Figures]) {
    figures.entries.removeAll { $0.key == section.rawValue }
    figures.entries.append(
      MapEntry(section.rawValue, .list(rows.map { .map($0.entries) })))
  }

  /// Seconds the server counted from an earlier sample to this one; nil if it was started between
  /// them.
  func seconds(since earlier: ServerSample) -> Double? {
    // A server that lived for a moment may be outlived by the next one before it is asked.
    if let now = figures.text("server.instance"),
      let then = earlier.figures.text("server.instance"), now != then
    {
      return nil
    }
    guard let now = figures.number("server.uptimeMilliseconds"),
      let then = earlier.figures.number("server.uptimeMilliseconds")
    else {
      return time > earlier.time ? time - earlier.time : nil
    }
    return now > then ? (now - then) / 1_000 : nil
  }
}

extension RoostClient {
  /// The server's figures with some sections, each of at most `limit` rows.
  func sample(
    _ sections: [StatisticsSection] = [], limit: Int? = nil, timeout: Duration? = nil
  ) async throws(ClientError) -> ServerSample {
    ServerSample(
      try await statistics(sections: sections, limit: limit, timeout: timeout))
  }
}
