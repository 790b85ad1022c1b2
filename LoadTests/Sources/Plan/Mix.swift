/// Which operations a run makes, and how often each.
struct Mix: Hashable, Sendable {
  struct Share: Hashable, Sendable {
    var operation: Operation
    var weight: Int
  }

  /// In the order they were given; no operation twice, no weight 0.
  let shares: [Share]
  private let total: UInt64

  static let getsOnly = Mix([Share(operation: .get, weight: 1)])

  private init(_ shares: [Share]) {
    self.shares = shares
    total = shares.reduce(0) { $0 + UInt64($1.weight) }
  }

  /// Reads `get=90,write=10`; the weights need not add up to anything.
  init(_ text: String, place: String = "--mix") throws(OptionError) {
    var shares: [Share] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let share = try Mix.share(part, place)
      if shares.contains(where: { $0.operation == share.operation }) {
        throw OptionError("\(place): it names \(share.operation.name) twice")
      }
      if share.weight > 0 { shares.append(share) }
    }
    if shares.isEmpty {
      throw OptionError("\(place): it leaves nothing to do, as all weights are 0")
    }
    self.init(shares)
  }

  private static func share(_ part: Substring, _ place: String) throws(OptionError) -> Share {
    let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(sides[0])
    guard let operation = Operation(named: name) else {
      let names = Operation.allCases.map(\.name)
      let hint = Spelling.nearest(to: name, in: names).map { "; did you mean \($0)?" }
      throw OptionError(
        "\(place): \"\(name)\" is no operation" + (hint ?? ": there are \(Spelling.list(names))"))
    }
    guard sides.count == 2, let weight = Int(sides[1]), (0...LoadLimits.weightMax) ~= weight
    else {
      throw OptionError("\(place): \(name) needs a weight of 0 to 1,000,000, like \(name)=90")
    }
    return Share(operation: operation, weight: weight)
  }

  var operations: [Operation] { shares.map(\.operation) }

  func contains(_ operation: Operation) -> Bool {
    shares.contains { $0.operation == operation }
  }

  /// An operation, each as likely as its weight says.
  func choose(_ random: inout RandomSource) -> Operation {
    if shares.count == 1 { return shares[0].operation }
    var point = random.below(total)
    for share in shares {
      let weight = UInt64(share.weight)
      if point < weight { return share.operation }
      point -= weight
    }
    return shares[shares.count - 1].operation
  }
}

extension Mix: CustomStringConvertible {
  var description: String {
    shares.map { "\($0.operation.name)=\($0.weight)" }.joined(separator: ",")
  }
}
