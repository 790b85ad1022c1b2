import RoostModel

/// A server's figures by name, each of which may be missing: servers of other versions know other
/// ones.
struct Figures: Hashable, Sendable {
  var entries: [MapEntry]

  init(_ entries: [MapEntry] = []) { self.entries = entries }

  /// The value at the end of a path of names through maps; nil if it is missing or null.
  private func value(_ path: [String]) -> Value? {
    var found = Value.map(entries)
    for name in path {
      guard case .map(let inner) = found, let entry = inner.first(where: { $0.key == name }) else {
        return nil
      }
      found = entry.value
    }
    return found.isNull ? nil : found
  }

  /// A finite number, of whichever type it came.
  func number(_ path: String...) -> Double? {
    switch value(path) {
    case .int(let number)?: Double(number)
    case .double(let number)?: number.isFinite ? number : nil
    case .bool(let flag)?: flag ? 1 : 0
    default: nil
    }
  }

  func text(_ path: String...) -> String? {
    if case .text(let text)? = value(path) { text } else { nil }
  }

  func texts(_ path: String...) -> [String]? {
    guard case .list(let items)? = value(path) else { return nil }
    var texts: [String] = []
    for item in items {
      if case .text(let text) = item { texts.append(text) }
    }
    return texts
  }

  func flag(_ path: String...) -> Bool? {
    switch value(path) {
    case .bool(let flag)?: flag
    case .int(let number)?: number != 0
    default: nil
    }
  }

  /// The figures of a map.
  func group(_ path: String...) -> Figures? {
    if case .map(let inner)? = value(path) { Figures(inner) } else { nil }
  }

  /// How long commits took in about the last minute; nil when there were none, whose times are 0.
  var commitTimes: Figures? {
    let times = group("window", "commitMicroseconds")
    return times?.number("count") == 0 ? nil : times
  }

  /// The figures of each map in a list; what is no map is left out.
  func list(_ path: String...) -> [Figures]? {
    guard case .list(let items)? = value(path) else { return nil }
    var groups: [Figures] = []
    for item in items {
      if case .map(let inner) = item { groups.append(Figures(inner)) }
    }
    return groups
  }

  /// Sets a figure of our own making beside the server's.
  mutating func set(_ name: String, _ value: Double?) {
    entries.removeAll { $0.key == name }
    if let value { entries.append(MapEntry(name, .double(value))) }
  }
}
