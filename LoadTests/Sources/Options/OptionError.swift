/// A wrong call; the text says what was wrong and what would be right.
struct OptionError: Error, Hashable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Help with misspelt names.
enum Spelling {
  /// The name that is the fewest edits away, if it is near enough to be meant.
  static func nearest(to word: String, in names: [String]) -> String? {
    let distances = names.map { ($0, distance(Array(word.utf8.prefix(64)), Array($0.utf8))) }
    guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(1, best.0.utf8.count / 3) ? best.0 : nil
  }

  /// `a, b and c`.
  static func list(_ names: [String]) -> String {
    guard names.count > 1 else { return names.first ?? "none" }
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }

  /// Insertions, deletions, exchanges and swaps of neighbours that make one word the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var row = Array(0...right.count)
    for index in left.indices {
      var next = [index + 1]
      for column in right.indices {
        let isSame = left[index] == right[column]
        var cost = min(row[column] + (isSame ? 0 : 1), min(row[column + 1], next[column]) + 1)
        if index > 0, column > 0, left[index] == right[column - 1],
          left[index - 1] == right[column]
        {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      (before, row) = (row, next)
    }
    return row[right.count]
  }
}
