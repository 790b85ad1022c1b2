/// Reads Prometheus' text format 0.0.4 and refuses what a scraper, or promtool, would not like.
package struct PrometheusParser {
  package struct Sample: Hashable {
    package var name: String
    package var labels: [String: String]
    package var value: Double
  }

  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
  }

  package private(set) var samples: [Sample] = []
  package private(set) var types: [String: String] = [:]
  package private(set) var helps: [String: String] = [:]
  private var current: String?

  package init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Refusal(description: "no line feed at the end") }
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      do {
        if line.hasPrefix("# ") { try takeComment(line) } else { try takeSample(line) }
      } catch let refusal as Refusal {
        throw Refusal(description: "\(refusal): \(line)")
      }
    }
    guard Set(samples.map { [$0.name: $0.labels] }).count == samples.count else {
      throw Refusal(description: "a sample is there twice")
    }
    try checkHistograms()
  }

  /// The value of the one sample of a name with these labels.
  package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  // MARK: Lines

  private mutating func takeComment(_ line: Substring) throws {
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    guard words.count == 4 else { throw Refusal(description: "not HELP nor TYPE") }
    let name = words[2]
    switch words[1] {
    case "HELP":
      guard helps.updateValue(words[3], forKey: name) == nil else {
        throw Refusal(description: "a second HELP")
      }
    case "TYPE":
      guard ["counter", "gauge", "histogram"].contains(words[3]), helps[name] != nil,
        types.updateValue(words[3], forKey: name) == nil
      else { throw Refusal(description: "an odd TYPE") }
      guard (words[3] == "counter") == name.hasSuffix("_total") else {
        throw Refusal(description: "only counters end in _total, and all of them do")
      }
      current = name
    default: throw Refusal(description: "not HELP nor TYPE")
    }
  }

  private mutating func takeSample(_ line: Substring) throws {
    var rest = line[...]
    let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
    rest = rest.dropFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" { labels = try takeLabels(&rest) }
    guard rest.first == " " else { throw Refusal(description: "no value") }
    let number = rest.dropFirst()
    let words = ["+Inf": Double.infinity, "-Inf": -Double.infinity, "NaN": Double.nan]
    guard let value = words[String(number)] ?? Double(number) else {
      throw Refusal(description: "not a number")
    }
    guard let family = current, belongs(name, to: family) else {
      throw Refusal(description: "away from its family")
    }
    samples.append(Sample(name: name, labels: labels, value: value))
  }

  private func belongs(_ name: String, to family: String) -> Bool {
    guard types[family] == "histogram" else { return name == family }
    return ["_bucket", "_sum", "_count"].contains { name == family + $0 }
  }

  private func takeLabels(_ rest: inout Substring) throws -> [String: String] {
    var labels: [String: String] = [:]
    repeat {
      rest = rest.dropFirst()
      let name = String(rest.prefix { $0 != "=" })
      rest = rest.dropFirst(name.count)
      guard !name.isEmpty, rest.hasPrefix("=\"") else { throw Refusal(description: "odd label") }
      rest = rest.dropFirst(2)
      guard labels.updateValue(try takeText(&rest), forKey: name) == nil else {
        throw Refusal(description: "a label twice")
      }
    } while rest.first == ","
    guard rest.first == "}" else { throw Refusal(description: "labels without an end") }
    rest = rest.dropFirst()
    return labels
  }

  private func takeText(_ rest: inout Substring) throws -> String {
    var text = String.UnicodeScalarView()
    var scalars = rest.unicodeScalars
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"":
        rest = Substring(scalars)
        return String(text)
      case "\\":
        guard let next = scalars.popFirst(), let meant = ["\\": "\\", "\"": "\"", "n": "\n"][next]
        else { throw Refusal(description: "an odd escape") }
        text.append(contentsOf: meant.unicodeScalars)
      default: text.append(scalar)
      }
    }
    throw Refusal(description: "a label's text without an end")
  }

  // MARK: Histograms

  private func checkHistograms() throws {
    for (family, type) in types where type == "histogram" {
      let buckets = samples.filter { $0.name == family + "_bucket" }
      let series = Dictionary(grouping: buckets) { bucket in
        bucket.labels.filter { $0.key != "le" }
      }
      for (labels, buckets) in series {
        let bounds = buckets.compactMap { bucket in
          bucket.labels["le"].flatMap { $0 == "+Inf" ? .infinity : Double($0) }
        }
        let counts = buckets.map(\.value)
        guard bounds.count == counts.count, bounds == bounds.sorted(), counts == counts.sorted(),
          bounds.last == .infinity, counts.last == value(family + "_count", labels),
          value(family + "_sum", labels) != nil
        else { throw Refusal(description: "the histogram \(family) \(labels) is not sound") }
      }
    }
  }
}
