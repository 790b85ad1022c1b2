import RoostImport

/// Reads scenario files into options; a mistake names the file, the place, the value and what would
/// be right.
enum ScenarioReader {
  private static let keys = [
    "name", "about", "entity", "mix", "connections", "depth", "threads", "loop", "warmup",
    "seconds", "rate", "phases", "interval", "timeout", "keys", "batchKeys", "fetchRows",
    "echoBytes", "slow", "data", "imports", "thresholds", "seed", "keepWrites",
  ]

  /// Sets what the file names; everything else stays.
  static func read(
    _ bytes: [UInt8], file: String, into options: inout LoadOptions
  ) throws(OptionError) {
    let document: JSONValue
    do throws(InputFault) {
      document = try JSONDocument.read(bytes)
    } catch {
      throw OptionError("\(file):\(error.line): \(error.reason)")
    }
    let root = ScenarioNode(document, at: "\(file): ")
    try root.checkKeys(keys)
    options.scenario = try root["name"]?.text("a name") ?? file
    _ = try root["about"]?.text("some words")
    try shape(root, &options)
    try work(root, file, &options)
    try loop(root, &options)
  }

  private static func shape(
    _ root: ScenarioNode, _ options: inout LoadOptions
  ) throws(OptionError) {
    if let node = root["connections"] {
      options.connections = try node.whole(1...LoadLimits.connectionsMax)
    }
    if let node = root["depth"] { options.depth = try node.whole(1...LoadLimits.depthMax) }
    if let node = root["threads"] { options.threads = try node.whole(1...LoadLimits.threadsMax) }
    if let node = root["interval"] { options.intervalSeconds = try node.seconds(from: 0.1) }
    if let node = root["timeout"] { options.timeoutSeconds = try node.seconds(from: 0.001) }
    if let node = root["seed"] { options.seed = UInt64(try node.whole(0...Int.max)) }
    if let node = root["keepWrites"] { options.keepsWrites = try node.flag() }
    for node in try root["thresholds"]?.items("thresholds like \"get.p99 < 5ms\"") ?? [] {
      let text = try node.text("a threshold like \"get.p99 < 5ms\"")
      do throws(OptionError) {
        options.thresholds.append(try ThresholdParser.read(text))
      } catch {
        throw node.fault(error.description)
      }
    }
  }

  // MARK: Work

  private static func work(
    _ root: ScenarioNode, _ file: String, _ options: inout LoadOptions
  ) throws(OptionError) {
    if let node = root["entity"] { options.entity = try node.text("the name of an entity") }
    if let node = root["mix"] { options.mix = try mix(node) }
    if let node = root["keys"] { options.keys = try distribution(node) }
    if let node = root["batchKeys"] {
      options.batchKeys = try node.whole(1...LoadLimits.batchKeysMax)
    }
    if let node = root["fetchRows"] {
      options.fetchRows = try node.whole(1...LoadLimits.fetchRowsMax)
    }
    if let node = root["echoBytes"] { options.echoBytes = try node.whole(0...65_536) }
    if let node = root["slow"] {
      try node.checkKeys(["pauseMilliseconds", "creditBytes"])
      options.slowMilliseconds = try node["pauseMilliseconds"]?.whole(1...60_000) ?? 50
      options.slowCreditBytes = try node["creditBytes"]?.whole(1_024...1 << 24) ?? 1 << 16
    }
    if let node = root["data"] {
      options.data = try data(node, in: file, hasEntity: options.entity != nil)
    }
    if let node = root["imports"] {
      try node.checkKeys(["streams", "rows"])
      var imports = BesideImports()
      if let streams = node["streams"] {
        imports.streams = try streams.whole(1...LoadLimits.besideStreamsMax)
      }
      if let rows = node["rows"] { imports.rows = try rows.whole(1...LoadLimits.besideRowsMax) }
      options.imports = imports
    }
  }

  private static func mix(_ node: ScenarioNode) throws(OptionError) -> Mix {
    try node.checkKeys(Operation.allCases.map(\.name))
    var pairs: [String] = []
    for member in node.value.parts {
      let weight = try node[member.key]?.whole(0...LoadLimits.weightMax) ?? 0
      pairs.append("\(member.key)=\(weight)")
    }
    return try Mix(pairs.joined(separator: ","), place: node.place)
  }

  private static func distribution(_ node: ScenarioNode) throws(OptionError) -> KeyDistribution {
    let names = ["uniform", "zipf", "latest"]
    if node.value.text != nil { return make(try node.choice(names), 0.99) }
    try node.checkKeys(["distribution", "exponent"])
    guard let name = node["distribution"] else {
      throw node.fault("it lacks \"distribution\": uniform, zipf or latest")
    }
    let exponent = try node["exponent"]?.number(0.01...10, "a number from 0.01 to 10, like 0.99")
    return make(try name.choice(names), exponent ?? 0.99)
  }

  private static func make(_ name: String, _ exponent: Double) -> KeyDistribution {
    switch name {
    case "zipf": .zipf(exponent: exponent)
    case "latest": .latest(exponent: exponent)
    default: .uniform
    }
  }

  private static func data(
    _ node: ScenarioNode, in file: String, hasEntity: Bool
  ) throws(OptionError) -> DataPlan {
    try node.checkKeys(["rows", "textBytes", "keep", "file"])
    var data = DataPlan()
    if let name = try node["file"]?.text("the path of a CSV, JSON or NDJSON file") {
      guard hasEntity else {
        throw node.fault("rows of a file need the \"entity\" they go into")
      }
      // Beside the scenario, wherever that is read from.
      let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
      data.file = name.hasPrefix("/") ? name : folder + name
      data.rows = 0
    }
    if let rows = node["rows"] { data.rows = try rows.whole(0...LoadLimits.dataRowsMax) }
    if let bytes = node["textBytes"] {
      data.textBytes = try bytes.whole(1...LoadLimits.textBytesMax)
    }
    if let keep = node["keep"] { data.keeps = try keep.flag() }
    return data
  }

  // MARK: Time

  private static func loop(
    _ root: ScenarioNode, _ options: inout LoadOptions
  ) throws(OptionError) {
    if let node = root["warmup"] { options.warmupSeconds = try node.seconds(from: 0) }
    if let node = root["seconds"] { options.durationSeconds = try node.seconds(from: 0.1) }
    let phases = try root["phases"].map { node throws(OptionError) in try list(node, &options) }
    if let node = root["rate"] {
      if root["phases"] != nil { throw node.fault("\"phases\" have their rates: leave it out") }
      let rate = try rate(node)
      options.profile = RateProfile(
        phases: [Phase(seconds: options.durationSeconds, from: rate, to: rate)])
    } else if let phases, !phases.isEmpty {
      options.profile = RateProfile(phases: phases)
      options.durationSeconds = phases.reduce(0) { $0 + $1.seconds }
    }
    if let node = root["loop"] {
      let isOpen = try node.choice(["open", "closed"]) == "open"
      if isOpen != (options.profile != nil) {
        throw node.fault(
          isOpen
            ? "an open loop needs a \"rate\" or \"phases\" with rates"
            : "a closed loop has no rate: leave \"rate\" and the rates of \"phases\" out")
      }
    }
  }

  private static func list(
    _ node: ScenarioNode, _ options: inout LoadOptions
  ) throws(OptionError) -> [Phase] {
    var phases: [Phase] = []
    var isClosed = false
    for (index, item) in try node.items("phases").enumerated() {
      try item.checkKeys(["kind", "seconds", "rate", "from", "to", "steps"])
      guard let kind = item["kind"], let time = item["seconds"] else {
        throw item.fault("a phase needs \"kind\" and \"seconds\"")
      }
      let seconds = try time.seconds(from: 0.1)
      switch try kind.choice(["warm-up", "hold", "ramp", "steps"]) {
      case "warm-up":
        if index > 0 { throw kind.fault("a warm-up comes first") }
        options.warmupSeconds = seconds
      case "hold":
        if let rate = try item["rate"].map(rate) {
          phases.append(Phase(seconds: seconds, from: rate, to: rate))
        } else {
          options.durationSeconds = isClosed ? options.durationSeconds + seconds : seconds
          isClosed = true
        }
      case "ramp":
        let (from, to) = try ends(item)
        phases.append(Phase(seconds: seconds, from: from, to: to))
      default: phases += try steps(item, seconds)
      }
    }
    if isClosed, !phases.isEmpty {
      throw node.fault("some phases have a rate and some have none: give each one, or none")
    }
    return phases
  }

  private static func ends(
    _ item: ScenarioNode
  ) throws(OptionError) -> (from: PlannedRate, to: PlannedRate) {
    guard let from = item["from"], let to = item["to"] else {
      throw item.fault("it needs the rates \"from\" and \"to\"")
    }
    return (try rate(from), try rate(to))
  }

  private static func steps(
    _ item: ScenarioNode, _ seconds: Double
  ) throws(OptionError) -> [Phase] {
    let (from, to) = try ends(item)
    let count = try item["steps"]?.whole(2...100) ?? 5
    return try (0..<count).map { step throws(OptionError) in
      let share = Double(step) / Double(count - 1)
      let rate: PlannedRate
      switch (from, to) {
      case (.perSecond(let low), .perSecond(let high)):
        rate = .perSecond((low + (high - low) * share).rounded())
      case (.ofCapacity(let low), .ofCapacity(let high)):
        rate = .ofCapacity(low + (high - low) * share)
      default: throw item.fault("\"from\" and \"to\" must both be numbers or both percentages")
      }
      return Phase(seconds: seconds / Double(count), from: rate, to: rate)
    }
  }

  private static func rate(_ node: ScenarioNode) throws(OptionError) -> PlannedRate {
    let right = "requests per second from 1 to 10,000,000, or a share of the capacity like \"200%\""
    if let text = node.value.text {
      guard text.hasSuffix("%"), let percent = Double(text.dropLast()), (1...10_000) ~= percent
      else { throw node.wrong(right) }
      return .ofCapacity(percent / 100)
    }
    return .perSecond(try node.number(1...Double(LoadLimits.rateMax), right))
  }
}
