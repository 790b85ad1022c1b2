/// A piece of a query's text.
struct QueryToken: Equatable {
  enum Kind: Equatable {
    case identifier(String)
    /// In backticks: never a keyword or a literal.
    case quotedIdentifier(String)
    case integer(String)
    /// With a fraction or an exponent.
    case number(String)
    case string(String)
    /// `#7`
    case row(Int64)
    /// `#id`
    case rowIdentifier
    /// `$0`
    case scope(Int)
    case symbol(String)
    case end
  }

  var kind: Kind
  var range: Range<Int>
}

/// Cuts a query's text into tokens.
struct QueryLexer {
  private let text: String
  private let bytes: [UInt8]
  private var index = 0

  private init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// All tokens, an end token last.
  static func tokens(_ text: String) throws(QueryTextError) -> [QueryToken] {
    var lexer = QueryLexer(text)
    guard lexer.bytes.count <= Limits.queryTextBytesMax else {
      throw QueryTextError(
        "a query has at most \(Limits.queryTextBytesMax) bytes", in: text, at: 0)
    }
    var tokens: [QueryToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(QueryTextError) -> QueryToken {
    while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { index += 1 }
    let start = index
    let kind = try kind()
    return QueryToken(kind: kind, range: start..<index)
  }

  private mutating func kind() throws(QueryTextError) -> QueryToken.Kind {
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quoted(byte))
    case UInt8(ascii: "`"): return .quotedIdentifier(try backticked())
    case UInt8(ascii: "#"): return try row()
    case UInt8(ascii: "$"):
      index += 1
      guard let scope = Int(take { $0.isDigit }), scope <= Limits.expressionDepthMax else {
        throw error("a row is written $0, the one around it $1", at: index - 1)
      }
      return .scope(scope)
    case _ where byte.isDigit: return number()
    case _ where byte.isNameLetter: return .identifier(take { $0.isNameLetter || $0.isDigit })
    default: return try symbol()
    }
  }

  private mutating func number() -> QueryToken.Kind {
    let start = index
    _ = take { $0.isDigit || $0 == UInt8(ascii: "_") }
    var isInteger = true
    if peek() == UInt8(ascii: "."), peek(1)?.isDigit == true {
      isInteger = false
      index += 1
      _ = take { $0.isDigit }
    }
    if let exponent = peek(), exponent | 0x20 == UInt8(ascii: "e"), let after = peek(1) {
      let isSigned = after == UInt8(ascii: "+") || after == UInt8(ascii: "-")
      if after.isDigit || (isSigned && peek(2)?.isDigit == true) {
        isInteger = false
        index += 2
        _ = take { $0.isDigit }
      }
    }
    let digits = bytes[start..<index].filter { $0 != UInt8(ascii: "_") }
    let text = String(decoding: digits, as: UTF8.self)
    return isInteger ? .integer(text) : .number(text)
  }

  private mutating func row() throws(QueryTextError) -> QueryToken.Kind {
    let start = index
    index += 1
    if peek()?.isNameLetter == true {
      guard take(while: { $0.isNameLetter }) == "id" else {
        throw error("a row is written #7, its identifier #id", at: start)
      }
      return .rowIdentifier
    }
    let sign = peek() == UInt8(ascii: "-") ? "-" : ""
    if !sign.isEmpty { index += 1 }
    guard let row = Int64(sign + take { $0.isDigit }) else {
      throw error("a row is written #7, its identifier #id", at: start)
    }
    return .row(row)
  }

  private mutating func symbol() throws(QueryTextError) -> QueryToken.Kind {
    let two = String(decoding: bytes[index..<min(index + 2, bytes.count)], as: UTF8.self)
    if peek(2) == UInt8(ascii: "="), two == "==" || two == "!=" {
      throw error("“\(two)=” is written \(two)", at: index)
    }
    if let right = QueryLexer.mistakes[two] {
      throw error("“\(two)” is written \(right)", at: index)
    }
    if QueryLexer.pairs.contains(two) {
      index += 2
      // `a?.b` and `a!.b` mean `a.b` here, where nil is an ordinary value.
      return .symbol(two == "?." || two == "!." ? "." : two)
    }
    guard let byte = peek(), QueryLexer.singles.contains(byte) else {
      let isAssignment = peek() == UInt8(ascii: "=")
      throw error(isAssignment ? "“=” is written ==" : "this has no meaning here", at: index)
    }
    index += 1
    return .symbol(String(Unicode.Scalar(byte)))
  }

  private static let pairs: Set<String> = [
    "&&", "||", "==", "!=", "<=", ">=", "~=", "??", "?.", "!.",
  ]
  private static let singles = Set("<>!?:+-*/%()[]{},.".utf8)
  private static let mistakes = ["<>": "!=", "=~": "~=", "=>": ">=", "=<": "<="]
}

extension QueryLexer {
  private mutating func quoted(_ quote: UInt8) throws(QueryTextError) -> String {
    let start = index
    index += 1
    var content: [UInt8] = []
    while let byte = peek() {
      index += 1
      if byte == quote { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(into: &content) } else { content.append(byte) }
    }
    throw error("this text has no closing quote", at: start)
  }

  private mutating func escape(into content: inout [UInt8]) throws(QueryTextError) {
    let start = index - 1
    guard let byte = peek() else { throw error("the text ends after a backslash", at: start) }
    index += 1
    switch byte {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "0"): content.append(0)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): content.append(byte)
    case UInt8(ascii: "u"):
      guard peek() == UInt8(ascii: "{") else { throw badEscape(at: start) }
      index += 1
      let digits = take { $0 != UInt8(ascii: "}") && $0 < 0x80 }
      guard peek() == UInt8(ascii: "}"), digits.utf8.count <= 8,
        let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number)
      else { throw badEscape(at: start) }
      index += 1
      content.append(contentsOf: Array(String(Character(scalar)).utf8))
    default: throw badEscape(at: start)
    }
  }

  private func badEscape(at start: Int) -> QueryTextError {
    error(#"escapes are \n \t \r \0 \\ \" \' and \u{1F426}"#, at: start)
  }

  private mutating func backticked() throws(QueryTextError) -> String {
    let start = index
    index += 1
    var content: [UInt8] = []
    while let byte = peek() {
      index += 1
      if byte == UInt8(ascii: "`") {
        // Two of them are one that belongs to the name.
        guard peek() == UInt8(ascii: "`") else { return String(decoding: content, as: UTF8.self) }
        index += 1
      }
      content.append(byte)
    }
    throw error("this name has no closing backtick", at: start)
  }

  // MARK: Bytes

  private func peek(_ ahead: Int = 0) -> UInt8? {
    index + ahead < bytes.count ? bytes[index + ahead] : nil
  }

  private mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = peek(), belongs(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func error(_ message: String, at offset: Int) -> QueryTextError {
    QueryTextError(message, in: text, at: offset)
  }
}
