import RoostModel

/// Failures in words.
enum FailureLine {
  /// The most frequent first, then by number, so that two runs compare.
  static func sorted(_ tally: Tally) -> [(kind: FailureKind, count: UInt64)] {
    tally.failures.map { (kind: $0.key, count: $0.value) }.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      if left.kind.code != right.kind.code {
        return left.kind.code.rawValue < right.kind.code.rawValue
      }
      return left.kind.detail.rawValue < right.kind.detail.rawValue
    }
  }

  static func text(_ kind: FailureKind, _ count: UInt64) -> String {
    let number = "\(kind.code.rawValue)/\(kind.detail.rawValue)"
    return "\(Figures.grouped(count)) × \(name(kind.code)) \(number): \(kind.message)"
  }

  /// The status as the protocol writes it: `RESOURCE_EXHAUSTED`.
  static func name(_ code: StatusCode) -> String {
    var result = ""
    for character in "\(code)" {
      if character.isUppercase { result.append("_") }
      result.append(character.uppercased())
    }
    return result
  }
}
