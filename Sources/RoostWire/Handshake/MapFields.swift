package import RoostModel

/// Typed access to the entries of a map; a key that is missing is nil, a wrong type is an error.
package struct MapFields {
  private let entries: [MapEntry]

  package init(_ entries: [MapEntry]) { self.entries = entries }

  package subscript(key: String) -> Value? {
    guard let value = entries.first(where: { $0.key == key })?.value, !value.isNull else {
      return nil
    }
    return value
  }

  package func text(_ key: String) throws(MessageError) -> String? {
    guard let value = self[key] else { return nil }
    guard case .text(let text) = value else { throw wrong(key, "text") }
    return text
  }

  package func int(_ key: String) throws(MessageError) -> Int64? {
    guard let value = self[key] else { return nil }
    guard case .int(let number) = value else { throw wrong(key, "an integer") }
    return number
  }

  package func size(_ key: String) throws(MessageError) -> Int? {
    guard let number = try int(key) else { return nil }
    guard number >= 0, number <= WireLimits.creditMax else { throw wrong(key, "a size") }
    return Int(number)
  }

  private func wrong(_ key: String, _ expected: String) -> MessageError {
    MessageError(.badValue, "\(key) is not \(expected)")
  }

  /// A map value with its keys in order; entries that are nil are left out, later ones win.
  package static func map(_ fields: [(String, Value?)]) -> Value {
    var sorted: [(index: Int, entry: MapEntry)] = []
    sorted.reserveCapacity(fields.count)
    for (index, (key, value)) in fields.enumerated() {
      if let value { sorted.append((index, MapEntry(key, value))) }
    }
    sorted.sort {
      $0.entry.key == $1.entry.key
        ? $0.index < $1.index
        : $0.entry.key.utf8.lexicographicallyPrecedes($1.entry.key.utf8)
    }
    var entries: [MapEntry] = []
    entries.reserveCapacity(sorted.count)
    for (_, entry) in sorted {
      if entries.last?.key == entry.key { entries.removeLast() }
      entries.append(entry)
    }
    return .map(entries)
  }
}

extension PackedReader {
  /// Reads a map and nothing after it.
  package mutating func onlyMap() throws(MessageError) -> [MapEntry] {
    do throws(PackedError) {
      guard case .map(let entries) = try value() else {
        throw PackedError.unexpectedValue(expected: "a map", at: 0)
      }
      try finish()
      return entries
    } catch {
      throw MessageError(error)
    }
  }
}
