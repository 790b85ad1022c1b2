import RoostModel

/// What clients wrote and saw of a few rows, and whether one store can have shown all of it.
///
/// The commits give the order of the writes. Each sight must be the state at some commit that is
/// neither before the last write acknowledged when it was asked for, nor before what the same
/// client saw earlier of the same row or key.
struct CacheHistory: Sendable {
  struct Version: Hashable, Sendable {
    var row: Int64
    var key: String
    /// Given once only, so that it names the write.
    var value: Int64
  }

  enum Place: Hashable, Sendable {
    case row(Int64)
    case key(String)
  }

  enum Change: Sendable {
    case inserted(Version)
    case updated(row: Int64, value: Int64)
    case renamed(Version)
    case deleted(row: Int64)
  }

  /// The answer to one get; nil is a row that is not there.
  struct Sight: Sendable {
    var seen: [(place: Place, version: Version?)]
    /// The last commit acknowledged to anybody when it was asked for.
    var acknowledged: UInt64
  }

  var changes: [UInt64: Change] = [:]
  /// By client, in its order.
  var sights: [[Sight]] = []

  private typealias Timeline = [(commit: UInt64, version: Version?)]

  /// One line for each sight that cannot be.
  func contradictions() -> [String] {
    let timelines = timelines()
    var found: [String] = []
    for (client, sights) in sights.enumerated() {
      var last: [Place: UInt64] = [:]
      for sight in sights {
        let start = sight.seen.reduce(sight.acknowledged) { max($0, last[$1.place] ?? 0) }
        guard let commit = Self.commit(of: sight, from: start, timelines) else {
          found.append("client \(client) after commit \(start): \(sight.seen)")
          continue
        }
        for (place, version) in sight.seen {
          last[place] = max(commit, last[place] ?? 0)
          guard let version else { continue }
          // The same version by its other name.
          for other in [Place.row(version.row), .key(version.key)] {
            let written = Self.entry(at: commit, timelines[place]).commit
            last[other] = max(written, last[other] ?? 0)
          }
        }
      }
    }
    return found
  }

  /// The first commit from `start` on whose state is what was seen.
  private static func commit(
    of sight: Sight, from start: UInt64, _ timelines: [Place: Timeline]
  ) -> UInt64? {
    var commits = [start]
    for (place, _) in sight.seen {
      for entry in timelines[place] ?? [] where entry.commit > start {
        commits.append(entry.commit)
      }
    }
    return commits.sorted().first { commit in
      sight.seen.allSatisfy { entry(at: commit, timelines[$0.place]).version == $0.version }
    }
  }

  private static func entry(
    at commit: UInt64, _ timeline: Timeline?
  ) -> (commit: UInt64, version: Version?) {
    timeline?.last { $0.commit <= commit } ?? (0, nil)
  }

  /// Every state of every row and key, by doing all writes again in their order.
  private func timelines() -> [Place: Timeline] {
    var rows: [Int64: Version] = [:]
    var timelines: [Place: Timeline] = [:]
    for (commit, change) in changes.sorted(by: { $0.key < $1.key }) {
      let (row, version) = Self.apply(change, rows)
      if let old = rows[row], old.key != version?.key {
        timelines[.key(old.key), default: []].append((commit, nil))
      }
      if let version { timelines[.key(version.key), default: []].append((commit, version)) }
      timelines[.row(row), default: []].append((commit, version))
      rows[row] = version
    }
    return timelines
  }

  private static func apply(
    _ change: Change, _ rows: [Int64: Version]
  ) -> (row: Int64, version: Version?) {
    switch change {
    case .inserted(let version), .renamed(let version): return (version.row, version)
    case .updated(let row, let value):
      var version = rows[row]
      version?.value = value
      return (row, version)
    case .deleted(let row): return (row, nil)
    }
  }
}
