/// What can be seen in a query's text: `Flight where dest == ? && distance > ? sort ident limit ?`.
///
/// It reads the words, not the grammar: good enough to name a property, and silent where it is not
/// plain.
struct ShapeWords: Hashable {
  /// The property of a comparison that an index would serve; equality before ranges.
  private(set) var indexable: String?
  private(set) var hasPredicate = false
  private(set) var searchesText = false
  private(set) var leadsOverRelations = false
  /// The first sort key, if it is a property.
  private(set) var sortProperty: String?

  init(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).map { String($0) }
    let predicate = ShapeWords.clause("where", words)
    hasPredicate = !predicate.isEmpty
    sortProperty = ShapeWords.clause("sort", words).first
      .map { String($0.prefix { $0 != "," }) }.flatMap { ShapeWords.isProperty($0) ? $0 : nil }
    searchesText = predicate.contains { word in
      word == "~=" || [".contains(", ".startsWith(", ".endsWith("].contains { word.contains($0) }
    }
    leadsOverRelations = predicate.contains { word in
      word.contains(".") && !word.hasPrefix("?") && word.first?.isNumber == false
    }
    // Of alternatives no single index would do.
    guard !predicate.contains("||"), !predicate.contains("!") else { return }
    indexable =
      ShapeWords.property(["==", "in"], predicate)
      ?? ShapeWords.property(["<", "<=", ">", ">="], predicate)
  }

  /// The words behind a clause's name, up to the next clause.
  private static func clause(_ name: String, _ words: [String]) -> [String] {
    guard let start = words.dropFirst().firstIndex(of: name) else { return [] }
    let names = ["where", "sort", "limit", "offset", "select", "prefetch"]
    return Array(words[(start + 1)...].prefix { !names.contains($0) })
  }

  /// The property at the left of one of the operators, compared with a value at the right.
  private static func property(_ operators: [String], _ words: [String]) -> String? {
    for index in words.indices where operators.contains(words[index]) {
      guard index > 0, index + 1 < words.count else { continue }
      let right = words[index + 1].first { !"([".contains($0) }
      guard right == "?" else { continue }
      let left = String(words[index - 1].drop { $0 == "(" })
      // What stands before is an operator between conditions, or nothing: no sum, no function.
      let before = index > 1 ? words[index - 2] : "&&"
      if isProperty(left), before == "&&" || before == "(" { return left }
    }
    return nil
  }

  private static func isProperty(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
      return false
    }
    return word.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }
}
