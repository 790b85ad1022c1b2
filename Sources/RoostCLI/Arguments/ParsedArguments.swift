import RoostImport

/// A command's arguments, checked against what it takes.
struct ParsedArguments: Hashable, Sendable {
  private(set) var positionals: [String] = []
  private var values: [String: [String]] = [:]
  private(set) var asksForHelp = false
  private let command: String

  /// - Throws: ``CommandFault`` for an option the command does not have, or one without its value.
  init(_ arguments: [String], for spec: CommandSpec) throws(CommandFault) {
    command = spec.name
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        positionals += rest
        return
      }
      if argument == "-h" || argument == "--help" {
        asksForHelp = true
      } else if argument.hasPrefix("--") {
        try take(argument, &rest, spec)
      } else if argument.hasPrefix("-"), argument.count > 1 {
        throw CommandFault("\(argument): options are written --name; see roost \(command) --help")
      } else {
        positionals.append(argument)
      }
    }
  }

  private mutating func take(
    _ argument: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandFault) {
    let text = argument.dropFirst(2)
    let equals = text.firstIndex(of: "=")
    let name = String(equals.map { text[..<$0] } ?? text)
    guard let option = spec.options.first(where: { $0.name == name }) else {
      let nearest = NearestName.of(name, among: spec.options.map(\.name))
      let hint = nearest.map { "; did you mean --\($0)?" } ?? "; see roost \(command) --help"
      throw CommandFault("roost \(command) has no option --\(name)\(hint)")
    }
    if let equals {
      guard option.value != nil else { throw CommandFault("--\(name) takes no value") }
      values[name, default: []].append(String(text[text.index(after: equals)...]))
    } else if option.value == nil {
      values[name, default: []].append("")
    } else if option.hasOptionalValue {
      let follows = rest.first.map(ParsedArguments.beginsLikeNumber) == true
      values[name, default: []].append(follows ? rest.removeFirst() : "")
    } else {
      guard let value = rest.popFirst(), value == "-" || !value.hasPrefix("--") else {
        throw CommandFault("--\(name) needs a value: --\(name) \(option.value ?? "VALUE")")
      }
      values[name, default: []].append(value)
    }
  }

  /// What is meant as a number, right or wrong, is no argument of its own.
  private static func beginsLikeNumber(_ text: String) -> Bool {
    text.first.map { $0.isASCII && ($0.isNumber || $0 == ".") } == true
  }

  // MARK: Options

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value given.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values given, in their order.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The parts of a value that is a list, joined by commas.
  func list(_ name: String) -> [String] {
    values[name]?.flatMap { $0.split(separator: ",").map { String($0) } } ?? []
  }

  /// A whole number of at least `least`.
  func number(_ name: String, least: Int) throws(CommandFault) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), number >= least else {
      throw CommandFault("--\(name) \(text): should be a whole number, at least \(least)")
    }
    return number
  }

  /// Seconds within a range; `usual` for the option without its value, nil without the option.
  func seconds(
    _ name: String, _ range: ClosedRange<Double>, unless usual: Double
  ) throws(CommandFault) -> Double? {
    guard let text = value(name) else { return nil }
    if text.isEmpty { return usual }
    guard let seconds = Double(text), range.contains(seconds) else {
      throw CommandFault(
        "--\(name) \(text): should be seconds from \(NumberForm.decimal(range.lowerBound)) to "
          + NumberForm.decimal(range.upperBound))
    }
    return seconds
  }

  /// One of some words.
  func choice<Choice>(
    _ name: String, _ choices: [Choice], _ word: (Choice) -> String
  ) throws(CommandFault) -> Choice? {
    guard let text = value(name) else { return nil }
    guard let choice = choices.first(where: { word($0) == text }) else {
      throw CommandFault(
        "--\(name) \(text): should be one of \(choices.map(word).joined(separator: ", "))")
    }
    return choice
  }

  // MARK: Positionals

  /// As many positional arguments as `names` has, in a message's words.
  func exactly(_ names: String...) throws(CommandFault) -> [String] {
    guard positionals.count >= names.count else {
      throw CommandFault(
        "\(names[positionals.count]) is missing; see roost \(command) --help")
    }
    if positionals.count > names.count { throw extra(positionals[names.count], after: names) }
    return positionals
  }

  /// At least as many positional arguments as `names` has.
  func atLeast(_ names: String...) throws(CommandFault) -> [String] {
    guard positionals.count >= names.count else {
      throw CommandFault(
        "\(names[positionals.count]) is missing; see roost \(command) --help")
    }
    return positionals
  }

  /// As many as `names` has, and at most one more for each of `optional`.
  func from(_ names: [String], upTo optional: [String]) throws(CommandFault) -> [String] {
    guard positionals.count >= names.count else {
      throw CommandFault("\(names[positionals.count]) is missing; see roost \(command) --help")
    }
    let most = names.count + optional.count
    if positionals.count > most { throw extra(positionals[most], after: names + optional) }
    return positionals
  }

  private func extra(_ argument: String, after names: [String]) -> CommandFault {
    // The shell takes apart what stands last and has blanks.
    let whole = ["QUERY": "a query", "JSON": "JSON"][names.last ?? ""]
    let quote =
      argument.contains(" ") ? "" : whole.map { "; \($0) is one argument: put it in quotes" } ?? ""
    return CommandFault("roost \(command): \"\(argument)\" is one argument too many\(quote)")
  }
}
