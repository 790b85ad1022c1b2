/// Finds the name that a mistyped one probably meant.
public enum NearestName {
  /// The nearest of the candidates; nil if none is near enough to be worth a suggestion.
  ///
  /// - Complexity: O(*c* · *n* · *m*) for *c* candidates; long names are not compared.
  public static func suggestion(for name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased())
    guard !wanted.isEmpty, wanted.count <= Limits.nameBytesMax else { return nil }
    var best: (distance: Int, name: String)?
    for candidate in candidates where candidate.utf8.count <= Limits.nameBytesMax {
      let letters = Array(candidate.lowercased())
      var distance = distance(wanted, letters)
      // A beginning or an end of the name is nearer than its letters say.
      if wanted.count >= 3,
        letters.starts(with: wanted) || letters.reversed().starts(with: wanted.reversed())
      {
        distance = min(distance, 2)
      }
      guard distance <= max(1, min(wanted.count, letters.count) / 2),
        distance < best?.distance ?? .max
      else { continue }
      best = (distance, candidate)
    }
    return best?.name
  }

  /// Insertions, deletions, replacements and swaps of neighbours.
  private static func distance(_ lhs: [Character], _ rhs: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...rhs.count)
    for (row, left) in lhs.enumerated() {
      var current = [row + 1]
      for (column, right) in rhs.enumerated() {
        var best = min(last[column + 1], current[column]) + 1
        best = min(best, last[column] + (left == right ? 0 : 1))
        if row > 0, column > 0, left == rhs[column - 1], lhs[row - 1] == right {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[rhs.count]
  }
}
