/// Why a query's text was not understood: where, and what would be right.
public struct QueryTextError: Error, Hashable, Sendable {
  /// What is wrong, with a suggestion where there is one; no position.
  public var message: String
  /// The whole text.
  public var text: String
  /// The byte of the text where the trouble begins.
  public var offset: Int

  init(_ message: String, in text: String, at offset: Int) {
    self.message = message
    self.text = text
    self.offset = offset
  }

  /// The line with the trouble and a caret under its place.
  public var excerpt: String {
    let before = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
    let after = String(decoding: text.utf8.dropFirst(offset), as: UTF8.self)
    let head = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    let tail = after.prefix { $0 != "\n" }
    // A long line is cut on the left, so that the caret stays in sight.
    let shown = head.count > 70 ? "…" + head.suffix(69) : String(head)
    let gap = String(repeating: " ", count: shown.count)
    return "  \(shown)\(tail.prefix(70))\n  \(gap)^"
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension QueryTextError: CustomStringConvertible {
  public var description: String { "\(message)\n\(excerpt)" }
}
