/// Why packed bytes are not a value; always the sender's fault.
public enum PackedError: Error, Hashable, Sendable {
  case truncated(at: Int)
  case unknownTag(UInt8, at: Int)
  /// A value that has a shorter form, or a map whose keys do not ascend.
  case notCanonical(at: Int)
  case invalidUTF8(at: Int)
  case tooDeep(at: Int)
  /// A count that the remaining bytes cannot hold.
  case countTooLarge(UInt64, at: Int)
  case unexpectedValue(expected: String, at: Int)
  case trailingBytes(at: Int)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PackedError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .truncated(let at): "the value ends early, at byte \(at)"
    case .unknownTag(let tag, let at): "unknown value tag \(tag) at byte \(at)"
    case .notCanonical(let at): "a value at byte \(at) is not in its shortest form"
    case .invalidUTF8(let at): "the text at byte \(at) is not UTF-8"
    case .tooDeep(let at): "values nest deeper than \(Limits.valueDepthMax) at byte \(at)"
    case .countTooLarge(let count, let at): "\(count) items cannot follow byte \(at)"
    case .unexpectedValue(let expected, let at): "expected \(expected) at byte \(at)"
    case .trailingBytes(let at): "bytes after the value's end, at byte \(at)"
    }
  }
}
