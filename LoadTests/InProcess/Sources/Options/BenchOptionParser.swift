/// Reads the command line; every mistake is a ``BenchError`` that names it.
struct BenchOptionParser {
  private var arguments: ArraySlice<String>
  private var options = BenchOptions()

  static let names = [
    "--count", "--curve", "--keys", "--repeats", "--seed", "--only", "--side", "--folder",
    "--json", "--help",
  ]

  /// Reads `arguments`, which do not begin with the program's name.
  static func parse(_ arguments: [String]) throws(BenchError) -> BenchInvocation {
    if arguments.contains("--help") || arguments.contains("-h") { return .help }
    var parser = BenchOptionParser(arguments: arguments[...])
    while let argument = parser.arguments.popFirst() { try parser.take(argument) }
    return .run(parser.options)
  }

  private init(arguments: ArraySlice<String>) { self.arguments = arguments }

  private mutating func take(_ argument: String) throws(BenchError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard Self.names.contains(name) else {
      throw BenchError("there is no option \(name); see --help")
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if name == "--json" || name == "--curve" {
      if attached != nil { throw BenchError("\(name) takes no value") }
      if name == "--json" { options.isJSON = true } else { options.counts = BenchLimits.curve }
      return
    }
    guard let value = attached ?? arguments.popFirst(), !value.isEmpty else {
      throw BenchError("\(name) needs a value")
    }
    try set(name, value)
  }

  private mutating func set(_ name: String, _ value: String) throws(BenchError) {
    switch name {
    case "--count": options.counts = [try whole(name, value, BenchLimits.countMax)]
    case "--keys": options.keys = try whole(name, value, BenchLimits.keysMax)
    case "--repeats": options.repeats = try whole(name, value, BenchLimits.repeatsMax)
    case "--only": options.measures = try list(name, value)
    case "--side": options.sides = try list(name, value)
    case "--folder": options.folder = value
    default:
      guard let seed = UInt64(value) else {
        throw BenchError("--seed \(value): it must be a number from 0 to 2⁶⁴ - 1")
      }
      options.seed = seed
    }
  }

  private func whole(
    _ name: String, _ value: String, _ most: Int
  ) throws(BenchError) -> Int {
    guard let number = Int(value), (1...most).contains(number) else {
      throw BenchError("\(name) \(value): it must be a whole number from 1 to \(most)")
    }
    return number
  }

  /// Those that are named, in the order in which they run.
  private func list<Item: RawRepresentable & CaseIterable & Equatable>(
    _ name: String, _ value: String
  ) throws(BenchError) -> [Item] where Item.RawValue == String {
    var named: [Item] = []
    for word in value.split(separator: ",") {
      guard let item = Item(rawValue: String(word)) else {
        let known = Item.allCases.map(\.rawValue).joined(separator: ", ")
        throw BenchError("\(name) \(word): it must be among \(known)")
      }
      named.append(item)
    }
    if named.isEmpty { throw BenchError("\(name) names nothing") }
    return Item.allCases.filter { named.contains($0) }
  }
}
