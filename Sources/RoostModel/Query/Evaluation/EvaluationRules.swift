/// Comparisons: nil is a value for equality, and in no order.
package enum ComparisonRules {
  package static func holds(
    _ operation: ComparisonOperator, _ lhs: Value, _ rhs: Value, in domain: ComparisonDomain
  ) -> Bool {
    let asksOrder = operation != .equal && operation != .notEqual
    if asksOrder, lhs.isNull || rhs.isNull { return false }
    let order = ValueOrder.compare(lhs, rhs, in: domain)
    return switch operation {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

/// Text tests, byte by byte.
package enum TextRules {
  package static func holds(
    _ operation: TextOperator, _ text: String, _ part: String, folded: Bool
  ) -> Bool {
    var text = folded ? TextFolding.fold(text) : text
    var part = folded ? TextFolding.fold(part) : part
    return text.withUTF8 { text in
      part.withUTF8 { part in
        holds(operation, UnsafeRawBufferPointer(text), UnsafeRawBufferPointer(part))
      }
    }
  }

  package static func holds(
    _ operation: TextOperator, _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer
  ) -> Bool {
    guard part.count <= text.count else { return false }
    switch operation {
    case .startsWith: return text.prefix(part.count).elementsEqual(part)
    case .endsWith: return text.suffix(part.count).elementsEqual(part)
    case .contains: return contains(text, part)
    }
  }

  private static func contains(
    _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer
  ) -> Bool {
    guard let first = part.first else { return true }
    var index = 0
    while index <= text.count - part.count {
      let candidate = UnsafeRawBufferPointer(rebasing: text[index..<index + part.count])
      if candidate[0] == first, candidate.compareBytes(to: part) == 0 { return true }
      index += 1
    }
    return false
  }
}

/// Arithmetic on values that are not nil; null where there is no result.
package enum ArithmeticRules {
  package static func apply(
    _ operation: ArithmeticOperator, _ lhs: Value, _ rhs: Value, in domain: ArithmeticDomain,
    isDate: Bool
  ) -> Value {
    switch (domain, lhs, rhs) {
    case (.integer, .int(let lhs), .int(let rhs)):
      return CheckedArithmetic.apply(operation, lhs, rhs).map { .int($0) } ?? .null
    case (.unsigned, .int(let lhs), .int(let rhs)):
      let result = CheckedArithmetic.apply(
        operation, UInt64(bitPattern: lhs), UInt64(bitPattern: rhs))
      return result.map { .int(Int64(bitPattern: $0)) } ?? .null
    case (.decimal, .decimal(let lhs), .decimal(let rhs)):
      return CheckedArithmetic.apply(operation, decimal: lhs, rhs).map { .decimal($0) } ?? .null
    case (.double, _, _):
      guard let lhs = lhs.asDouble, let rhs = rhs.asDouble,
        let result = CheckedArithmetic.apply(operation, lhs, rhs)
      else { return .null }
      return isDate ? .date(result) : .double(result)
    default: return .null
    }
  }
}

/// Named functions on values that are not nil; null where there is no result.
package enum FunctionRules {
  package static func apply(_ function: QueryFunction, _ operand: Value) -> Value {
    switch (function, operand) {
    case (.fold, .text(let text)): .text(TextFolding.fold(text))
    case (.lowercased, .text(let text)): .text(text.lowercased())
    case (.uppercased, .text(let text)): .text(text.uppercased())
    case (.length, .text(let text)): .int(Int64(text.count))
    case (.absolute, .int(let number)):
      CheckedArithmetic.absolute(number).map { .int($0) } ?? .null
    case (.negate, .int(let number)): CheckedArithmetic.negate(number).map { .int($0) } ?? .null
    case (.absolute, .double(let number)): number.isNaN ? .null : .double(number.magnitude)
    case (.negate, .double(let number)): number.isNaN ? .null : .double(-number)
    case (.absolute, .decimal(let text)): .decimal(text.hasPrefix("-") ? negated(text) : text)
    case (.negate, .decimal(let text)): .decimal(negated(text))
    default: .null
    }
  }

  private static func negated(_ text: String) -> String {
    if text == "0" { return text }
    return text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text
  }
}

extension Value {
  /// A number or a date's seconds; nil for anything else.
  var asDouble: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number), .date(let number): number
    default: nil
    }
  }
}
