/// Finds the name a typing error most likely meant.
package enum NearestName {
  /// The candidate with the fewest edits, if few enough that it may be meant.
  ///
  /// - Complexity: O(candidates × length²).
  package static func of(_ name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().utf8)
      var found = distance(wanted, other)
      if !wanted.isEmpty, plain(wanted) == plain(other) { found = 0 }
      if found < best?.distance ?? Int.max { best = (candidate, found) }
    }
    guard let best else { return nil }
    return best.distance <= max(2, wanted.count / 3) ? best.name : nil
  }

  /// ` Did you mean "X"?`, else the names there are, else nothing.
  package static func hint(_ name: String, among candidates: [String]) -> String {
    if let nearest = of(name, among: candidates) { return "; did you mean \"\(nearest)\"?" }
    guard !candidates.isEmpty else { return "" }
    let shown = candidates.prefix(ImportLimits.namesInMessage).joined(separator: ", ")
    let more = candidates.count > ImportLimits.namesInMessage ? ", …" : ""
    return "; there are: \(shown)\(more)"
  }

  /// Without `_`, `-` and spaces: `dep_time` means `depTime`.
  private static func plain(_ name: [UInt8]) -> [UInt8] {
    name.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
  }

  /// Edits with swaps of neighbours counted as one.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var older = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
      var next = [row] + [Int](repeating: 0, count: right.count)
      for column in 1...right.count {
        let cost = left[row - 1] == right[column - 1] ? 0 : 1
        next[column] = min(last[column] + 1, next[column - 1] + 1, last[column - 1] + cost)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          next[column] = min(next[column], older[column - 2] + 1)
        }
      }
      older = last
      last = next
    }
    return last[right.count]
  }
}
