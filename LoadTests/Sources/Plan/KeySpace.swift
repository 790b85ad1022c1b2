/// The row identifiers of an entity, kept as runs of neighbours, to choose from.
struct KeySpace: Hashable, Sendable {
  private struct Run: Hashable, Sendable {
    var first: Int64
    /// Identifiers in the runs before this one.
    var before: UInt64
  }

  private var runs: [Run] = []
  private var last: Int64 = 0
  private(set) var count: UInt64 = 0
  /// Set when ``LoadLimits/keyRangesMax`` was reached: what came after is not chosen.
  private(set) var isTruncated = false

  var isEmpty: Bool { count == 0 }

  /// Adds an identifier; they come ascending, another one is passed over.
  mutating func append(_ row: Int64) {
    if count > 0 {
      guard row > last else { return }
      // `last < row`, so that `last + 1` exists.
      if last + 1 != row, !beginRun(row) { return }
    } else {
      _ = beginRun(row)
    }
    last = row
    count += 1
  }

  private mutating func beginRun(_ row: Int64) -> Bool {
    guard runs.count < LoadLimits.keyRangesMax, !isTruncated else {
      isTruncated = true
      return false
    }
    runs.append(Run(first: row, before: count))
    return true
  }

  /// The identifier at a place in ascending order; the last one beyond the end, nil when empty.
  ///
  /// - Complexity: O(1) without gaps, else O(log runs).
  func row(at place: UInt64) -> Int64? {
    guard count > 0 else { return nil }
    let place = min(place, count - 1)
    let run = runs.count == 1 ? runs[0] : runs[runIndex(of: place)]
    // Within the run, so neither side leaves what was appended.
    return run.first &+ Int64(bitPattern: place - run.before)
  }

  /// An identifier, each equally likely; 0 when there is none.
  func choose(_ random: inout RandomSource) -> Int64 {
    row(at: random.below(count)) ?? 0
  }

  private func runIndex(of place: UInt64) -> Int {
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if runs[middle].before <= place { low = middle } else { high = middle }
    }
    return low
  }
}
