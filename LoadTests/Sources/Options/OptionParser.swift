/// Reads the command line; every mistake is an ``OptionError`` that names it.
struct OptionParser {
  private var arguments: ArraySlice<String>
  private var options = LoadOptions()
  private var wantsHelp = false
  private var depthIsGiven = false
  private var threadsAreGiven = false
  private var compared: (String, String)?
  private let processors: Int

  private static let valued = [
    "--mix", "--connections", "--depth", "--threads", "--duration", "--warmup", "--rate",
    "--entity", "--seed", "--timeout", "--fetch-rows", "--echo-bytes", "--measuring-file",
    "--interval", "--report", "--scenario", "--keys", "--batch-keys",
    "--threshold", "--search",
  ]
  private static let flags = ["--json", "--keep-writes", "--help"]

  /// Reads `arguments`, which do not begin with the program's name.
  static func parse(
    _ arguments: [String], processors: Int = 2,
    readFile: (String) throws(RecordError) -> [UInt8] = ReportFile.read
  ) throws(OptionError) -> Invocation {
    var parser = OptionParser(arguments: arguments[...], processors: processors)
    try parser.readScenario(readFile)
    return try parser.parse()
  }

  private init(arguments: ArraySlice<String>, processors: Int) {
    self.arguments = arguments
    self.processors = processors
  }

  /// A scenario comes first, so that options override it wherever they stand.
  private mutating func readScenario(
    _ readFile: (String) throws(RecordError) -> [UInt8]
  ) throws(OptionError) {
    var file: String?
    for (index, argument) in arguments.enumerated() {
      if argument == "--scenario" { file = arguments.dropFirst(index + 1).first }
      if argument.hasPrefix("--scenario=") { file = String(argument.dropFirst(11)) }
    }
    guard let file else { return }
    let bytes: [UInt8]
    do throws(RecordError) {
      bytes = try readFile(file)
    } catch {
      throw OptionError(error.description)
    }
    // No file can say 0: what is 0 afterwards was not given.
    (options.depth, options.threads) = (0, 0)
    try ScenarioReader.read(bytes, file: file, into: &options)
    depthIsGiven = options.depth > 0
    threadsAreGiven = options.threads > 0
    options.depth = max(1, options.depth)
    options.threads = max(1, options.threads)
  }

  private mutating func parse() throws(OptionError) -> Invocation {
    while let argument = arguments.popFirst() {
      if argument == "-h" {
        wantsHelp = true
      } else if argument.hasPrefix("-") {
        try option(argument)
      } else if options.url.isEmpty {
        options.url = argument
      } else {
        throw OptionError("\"\(argument)\" is one argument too many: the server's URL is given")
      }
    }
    if wantsHelp { return .help }
    if let (left, right) = compared {
      if options.url.isEmpty { return .compare(left, right, report: options.reportFile) }
      throw OptionError("--compare takes two files and runs nothing: leave \(options.url) out")
    }
    try complete()
    return .run(options)
  }

  private mutating func option(_ argument: String) throws(OptionError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    if OptionParser.flags.contains(name) {
      if attached != nil { throw OptionError("\(name) takes no value") }
      return flag(name)
    }
    if name == "--compare" { return try compare(attached) }
    guard OptionParser.valued.contains(name) else {
      let known = OptionParser.valued + OptionParser.flags + ["--compare"]
      let hint = Spelling.nearest(to: name, in: known).map { "; did you mean \($0)?" }
      throw OptionError("there is no option \(name)" + (hint ?? "; see --help"))
    }
    guard let value = attached ?? arguments.popFirst(), !value.isEmpty else {
      throw OptionError("\(name) needs a value")
    }
    try set(name, value)
  }

  private mutating func compare(_ attached: String?) throws(OptionError) {
    guard let left = attached ?? arguments.popFirst(), let right = arguments.popFirst(),
      !left.hasPrefix("--"), !right.hasPrefix("--")
    else { throw OptionError("--compare needs two files: --compare A.json B.json") }
    compared = (left, right)
  }

  private mutating func flag(_ name: String) {
    switch name {
    case "--json": options.isJSON = true
    case "--keep-writes": options.keepsWrites = true
    default: wantsHelp = true
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(OptionError) {
    switch name {
    case "--mix": options.mix = try Mix(value)
    case "--connections":
      options.connections = try whole(name, value, 1...LoadLimits.connectionsMax)
    case "--depth":
      options.depth = try whole(name, value, 1...LoadLimits.depthMax)
      depthIsGiven = true
    case "--threads":
      options.threads = try whole(name, value, 1...LoadLimits.threadsMax)
      threadsAreGiven = true
    case "--duration":
      options.durationSeconds = try seconds(name, value, from: 0.1)
      options.profile?.stretch(to: options.durationSeconds)
    case "--warmup": options.warmupSeconds = try seconds(name, value, from: 0)
    case "--interval": options.intervalSeconds = try seconds(name, value, from: 0.1)
    case "--rate":
      options.ratePerSecond = UInt64(try whole(name, value, 1...Int(LoadLimits.rateMax)))
      options.profile = nil
    case "--scenario": break
    case "--keys": options.keys = try distribution(value)
    case "--batch-keys": options.batchKeys = try whole(name, value, 1...LoadLimits.batchKeysMax)
    case "--search": options.search = try ThresholdParser.read(value)
    case "--threshold": options.thresholds.append(try ThresholdParser.read(value))
    case "--entity": options.entity = value
    case "--seed":
      guard let seed = UInt64(value) else { throw wrong(name, value, "a number from 0 to 2⁶⁴ - 1") }
      options.seed = seed
    case "--timeout": options.timeoutSeconds = try seconds(name, value, from: 0.001)
    case "--report": options.reportFile = value
    case "--measuring-file": options.measuringFile = value
    case "--fetch-rows": options.fetchRows = try whole(name, value, 1...LoadLimits.fetchRowsMax)
    default: options.echoBytes = try whole(name, value, 0...65_536)
    }
  }

  private mutating func complete() throws(OptionError) {
    if options.url.isEmpty {
      throw OptionError("the server's URL is missing: roost-load roost://127.0.0.1:7678")
    }
    if options.search != nil, options.isOpenLoop {
      throw OptionError("--search finds the rate itself: leave --rate and a scenario's rates out")
    }
    // An open loop has to have room for what is under way while an answer is late.
    if !depthIsGiven, options.isOpenLoop || options.search != nil { options.depth = 16 }
    if !threadsAreGiven { options.threads = min(max(1, processors / 2), options.connections) }
    if options.threads > options.connections {
      throw OptionError(
        "--threads \(options.threads) is more than --connections \(options.connections): "
          + "a connection belongs to one thread")
    }
  }

  private func distribution(_ value: String) throws(OptionError) -> KeyDistribution {
    let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
    let exponent = parts.count == 2 ? Double(parts[1]) : 0.99
    if let exponent, (0.01...10) ~= exponent {
      if value == "uniform" { return .uniform }
      if parts.first == "zipf" { return .zipf(exponent: exponent) }
      if parts.first == "latest" { return .latest(exponent: exponent) }
    }
    throw wrong("--keys", value, "uniform, zipf, latest, or one with its exponent like zipf:0.99")
  }

  private func whole(
    _ name: String, _ value: String, _ range: ClosedRange<Int>
  ) throws(OptionError) -> Int {
    guard let number = Int(value), range.contains(number) else {
      let bounds = "\(Figures.grouped(range.lowerBound)) to \(Figures.grouped(range.upperBound))"
      throw wrong(name, value, "a whole number from \(bounds)")
    }
    return number
  }

  private func seconds(
    _ name: String, _ value: String, from least: Double
  ) throws(OptionError) -> Double {
    let range = least...LoadLimits.durationSecondsMax
    guard let number = Double(value), range.contains(number) else {
      throw wrong(name, value, "seconds from \(least) to 86400, like 10 or 0.5")
    }
    return number
  }

  private func wrong(_ name: String, _ value: String, _ right: String) -> OptionError {
    OptionError("\(name) \(value): it must be \(right)")
  }
}
