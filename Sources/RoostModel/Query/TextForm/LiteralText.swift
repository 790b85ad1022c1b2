import FoundationEssentials

/// Literals of the text form: how a value is written where a type is expected, and read again.
enum LiteralText {
  static let notADate = "is not a date: write it as \"2026-01-31T12:00:00Z\""

  /// Reads a quoted text; the error says what is wrong with it.
  static func value(
    string: String, expecting type: ExpressionType?
  ) throws(LiteralError) -> Value {
    guard case .attribute(let type) = type else { return .text(string) }
    switch type {
    case .date:
      guard let seconds = dateSeconds(string) else { throw LiteralError(notADate) }
      return .date(seconds)
    case .uuid:
      guard let uuid = UUID(uuidString: string) else { throw LiteralError("is not a UUID") }
      return .uuid(uuid)
    case .data:
      guard let data = Data(base64Encoded: string) else { throw LiteralError("is not Base64") }
      return .blob([UInt8](data))
    case .decimal:
      guard let text = DecimalText.canonical(string) else { throw LiteralError("is not a number") }
      return .decimal(text)
    case .bool, .int, .uint64, .double, .text, .json: return .text(string)
    }
  }

  /// Reads digits without a fraction.
  static func value(
    integer digits: String, expecting type: ExpressionType?
  ) throws(LiteralError) -> Value {
    switch type {
    case .attribute(.double): return try double(digits)
    case .attribute(.decimal): return try decimal(digits)
    case .attribute(.uint64):
      guard let number = UInt64(digits) else { throw LiteralError("is not a UInt64") }
      return .int(Int64(bitPattern: number))
    default:
      guard let number = Int64(digits) else { throw LiteralError("is beyond 64 bits") }
      return .int(number)
    }
  }

  /// Reads digits with a fraction or an exponent.
  static func value(
    number digits: String, expecting type: ExpressionType?
  ) throws(LiteralError) -> Value {
    type == .attribute(.decimal) ? try decimal(digits) : try double(digits)
  }

  /// Reads `Type("content")`.
  static func value(
    _ content: String, of type: AttributeType
  ) throws(LiteralError) -> Value {
    switch type {
    case .bool:
      guard let flag = Bool(content) else { throw LiteralError("is not true or false") }
      return .bool(flag)
    case .int: return try value(integer: content, expecting: .attribute(.int))
    case .uint64: return try value(integer: content, expecting: .attribute(.uint64))
    case .double: return try double(content)
    default: return try value(string: content, expecting: .attribute(type))
    }
  }

  private static func double(_ digits: String) throws(LiteralError) -> Value {
    guard let number = Double(digits) else { throw LiteralError("is not a number") }
    return .double(number)
  }

  private static func decimal(_ digits: String) throws(LiteralError) -> Value {
    guard let text = DecimalText.canonical(digits) else {
      throw LiteralError("has more digits than a Decimal")
    }
    return .decimal(text)
  }

  /// `@` and a number are plain seconds since 2001, for what ISO 8601 cannot say.
  private static func dateSeconds(_ string: String) -> Double? {
    string.hasPrefix("@") ? Double(string.dropFirst()) : DateText.seconds(string)
  }
}

/// What is wrong with a literal; completes "“x” …".
struct LiteralError: Error {
  var reason: String

  init(_ reason: String) { self.reason = reason }
}

// MARK: Printing

extension LiteralText {
  /// The text that ``ExpressionBinder`` reads back as this value where it expects that type.
  static func text(
    _ value: Value, expecting type: ExpressionType?, in schema: StoreSchema
  ) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): text(number, expecting: type)
    case .double(let number): text(number, expecting: type)
    case .text(let string): text(string, expecting: type)
    case .blob(let bytes):
      wrapped(quoted(Data(bytes).base64EncodedString()), .data, expecting: type)
    case .date(let seconds): wrapped(quoted(dateText(seconds)), .date, expecting: type)
    case .uuid(let uuid): wrapped(quoted(uuid.uuidString), .uuid, expecting: type)
    case .decimal(let digits):
      type == .attribute(.decimal) ? digits : "\(AttributeType.decimal.name)(\(quoted(digits)))"
    case .reference(let reference):
      type == .reference(reference.entity)
        ? "#\(reference.row)"
        : "\(entityName(reference.entity, in: schema))#\(reference.row)"
    case .list(let items): "a list of \(items.count)"
    case .map(let entries): "a map of \(entries.count)"
    case .result, .key: "a reference within a write"
    }
  }

  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func text(_ number: Int64, expecting type: ExpressionType?) -> String {
    switch type {
    case .attribute(.uint64): String(UInt64(bitPattern: number))
    case .attribute(.double), .attribute(.decimal): "\(AttributeType.int.name)(\"\(number)\")"
    default: String(number)
    }
  }

  private static func text(_ number: Double, expecting type: ExpressionType?) -> String {
    guard number.isFinite, type != .attribute(.decimal) else {
      return "\(AttributeType.double.name)(\"\(number)\")"
    }
    return number.description
  }

  private static func text(_ string: String, expecting type: ExpressionType?) -> String {
    switch type {
    case .attribute(.date), .attribute(.uuid), .attribute(.data), .attribute(.decimal):
      "\(AttributeType.text.name)(\(quoted(string)))"
    default: quoted(string)
    }
  }

  private static func wrapped(
    _ text: String, _ own: AttributeType, expecting type: ExpressionType?
  ) -> String {
    type == .attribute(own) ? text : "\(own.name)(\(text))"
  }

  private static func dateText(_ seconds: Double) -> String {
    // -0 has a sign that ISO 8601 cannot say.
    let isNegativeZero = seconds == 0 && seconds.sign == .minus
    return isNegativeZero ? "@-0.0" : DateText.text(seconds) ?? "@\(seconds)"
  }

  private static func entityName(_ id: EntityID, in schema: StoreSchema) -> String {
    NameText.text(schema.entity(id)?.name ?? "entity \(id)")
  }
}

/// Names as they are written: in backticks where they could be taken for something else.
enum NameText {
  static let words: Set<String> = ["true", "false", "nil", "null", "NULL", "id"]

  static func text(_ name: String) -> String {
    isPlain(name)
      ? name
      : "`"
        + name.split(
          separator: "`", omittingEmptySubsequences: false
        ).joined(separator: "``") + "`"
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !words.contains(name), !first.isDigit else { return false }
    return name.utf8.allSatisfy { $0.isDigit || $0.isNameLetter }
  }
}
