import RoostImport

/// A value of a scenario file together with its place, for messages.
struct ScenarioNode {
  let value: JSONValue
  /// `scenario.json: phases[1].rate`.
  let place: String

  init(_ value: JSONValue, at place: String) {
    self.value = value
    self.place = place
  }

  /// The member, unless it is missing.
  subscript(_ key: String) -> ScenarioNode? {
    value[key].map { ScenarioNode($0, at: place.hasSuffix(": ") ? place + key : "\(place).\(key)") }
  }

  func wrong(_ right: String) -> OptionError {
    OptionError("\(name): it is \(shown) and must be \(right)")
  }

  /// The place without a colon that nothing follows.
  private var name: String { place.hasSuffix(": ") ? String(place.dropLast(2)) : place }

  private var shown: String {
    switch value {
    case .array, .object: value.kindName
    default: value.canonicalText
    }
  }

  func fault(_ reason: String) -> OptionError { OptionError("\(name): \(reason)") }

  func checkKeys(_ known: [String]) throws(OptionError) {
    guard case .object(let members) = value else {
      throw wrong("an object with \(Spelling.list(known))")
    }
    for member in members where !known.contains(member.key) {
      let hint = Spelling.nearest(to: member.key, in: known).map { "; did you mean \"\($0)\"?" }
      throw fault(
        "\"\(member.key)\" is not known" + (hint ?? ": there are \(Spelling.list(known))"))
    }
  }

  func items(_ what: String) throws(OptionError) -> [ScenarioNode] {
    guard case .array(let items) = value else { throw wrong("an array of \(what)") }
    return items.enumerated().map { ScenarioNode($1, at: "\(place)[\($0)]") }
  }

  func text(_ what: String) throws(OptionError) -> String {
    guard let text = value.text, !text.isEmpty else { throw wrong(what) }
    return text
  }

  func flag() throws(OptionError) -> Bool {
    guard let flag = value.flag else { throw wrong("true or false") }
    return flag
  }

  func whole(_ range: ClosedRange<Int>) throws(OptionError) -> Int {
    guard let number = value.count, let whole = Int(exactly: number), range.contains(whole) else {
      let bounds = "\(Figures.grouped(range.lowerBound)) to \(Figures.grouped(range.upperBound))"
      throw wrong("a whole number from \(bounds)")
    }
    return whole
  }

  func number(_ range: ClosedRange<Double>, _ what: String) throws(OptionError) -> Double {
    guard let number = value.double, range.contains(number) else { throw wrong(what) }
    return number
  }

  func seconds(from least: Double) throws(OptionError) -> Double {
    try number(
      least...LoadLimits.durationSecondsMax, "seconds from \(least) to 86400, like 10 or 0.5")
  }

  /// One of a few words.
  func choice(_ words: [String]) throws(OptionError) -> String {
    guard let word = value.text, words.contains(word) else {
      throw wrong(Spelling.list(words.map { "\"\($0)\"" }).replacing(" and ", with: " or "))
    }
    return word
  }
}
