/// An option of a command: `--name VALUE`, or `--name` alone if it takes no value.
struct OptionSpec: Hashable, Sendable {
  var name: String
  /// The word for the value in the help; nil for a switch.
  var value: String?
  var help: String

  init(_ name: String, _ value: String? = nil, _ help: String) {
    self.name = name
    self.value = value
    self.help = help
  }

  /// For an option whose value may be left out.
  var hasOptionalValue: Bool { value?.hasPrefix("[") == true }
}

/// What a command takes, for its parser and its help alike.
struct CommandSpec: Sendable {
  var name: String
  /// The forms of the call, without `roost`.
  var usages: [String]
  var summary: String
  var options: [OptionSpec]
  /// Further paragraphs of the help.
  var notes: [String] = []
  /// Calls to copy.
  var examples: [String] = []

  var help: String {
    var lines = ["roost \(name): \(summary)", ""]
    for (index, usage) in usages.enumerated() {
      lines.append((index == 0 ? "usage: " : "       ") + "roost \(usage)")
    }
    if !options.isEmpty { lines += ["", "options:"] + optionLines }
    for note in notes { lines += ["", note] }
    if !examples.isEmpty { lines += ["", "examples:"] + examples.map { "  roost \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  private var optionLines: [String] {
    let all = options + [OptionSpec("help", nil, "show this")]
    let heads = all.map { "  --\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
    let width = min(28, heads.map(\.count).max() ?? 0)
    return zip(heads, all).map { head, option in
      let gap = String(repeating: " ", count: max(2, width + 2 - head.count))
      let indent = String(repeating: " ", count: width + 2)
      return head + gap
        + option.help.split(separator: "\n").joined(separator: "\n\(indent)")
    }
  }
}
