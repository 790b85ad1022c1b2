/// What `Authorization: Bearer` must bring.
package struct AdminToken: Sendable {
  private let bytes: [UInt8]

  /// nil if ``fault(in:)`` has something to say.
  package init?(_ text: String) {
    guard AdminToken.fault(in: Array(text.utf8)) == nil else { return nil }
    bytes = Array(text.utf8)
  }

  /// What is wrong with a token, and what would be right; nil if it is sound.
  package static func fault(in bytes: [UInt8]) -> String? {
    let range = AdminLimits.tokenBytes
    let isPlain = bytes.allSatisfy { (0x21...0x7E).contains($0) }
    guard !isPlain || !range.contains(bytes.count) else { return nil }
    let found = isPlain ? "\(bytes.count) characters" : "characters other than visible ASCII"
    return """
      the token has \(found); it should be one line of \(range.lowerBound) to \
      \(range.upperBound) visible ASCII characters, such as 'openssl rand -hex 32' makes
      """
  }

  /// Whether the header's value is `Bearer` and this token.
  ///
  /// The time it takes depends on the lengths alone, never on where the first difference is.
  package func matches(_ header: [UInt8]) -> Bool {
    let scheme = Array("bearer ".utf8)
    guard header.count >= scheme.count else { return false }
    // The scheme's name is no secret and has no case.
    guard header.prefix(scheme.count).map({ $0 | 0x20 }) == scheme else { return false }
    return AdminToken.isSame(Array(header.dropFirst(scheme.count)), bytes)
  }

  private static func isSame(_ given: [UInt8], _ wanted: [UInt8]) -> Bool {
    var difference = given.count ^ wanted.count
    for index in wanted.indices {
      let byte = index < given.count ? given[index] : ~wanted[index]
      difference |= Int(byte ^ wanted[index])
    }
    return difference == 0
  }
}
