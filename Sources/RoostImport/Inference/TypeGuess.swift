package import RoostModel

/// What a column's values have in common so far.
///
/// The narrowest of Int, Double, Bool and Date that fits all values, else String. A leading zero or
/// plus sign means a code, not a number. nil says nothing; a column of nothing else is a String.
package struct TypeGuess: Hashable, Sendable {
  private struct Kinds: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let int = Kinds(rawValue: 1)
    static let double = Kinds(rawValue: 2)
    static let bool = Kinds(rawValue: 4)
    static let date = Kinds(rawValue: 8)
    static let json = Kinds(rawValue: 16)
  }

  private var possible: Kinds = [.int, .double, .bool, .date, .json]
  private var hasValue = false

  package init() {}

  package var type: AttributeType {
    guard hasValue else { return .text }
    if possible.contains(.int) { return .int }
    if possible.contains(.double) { return .double }
    if possible.contains(.bool) { return .bool }
    if possible.contains(.date) { return .date }
    return possible.contains(.json) ? .json : .text
  }

  /// Takes a CSV cell that is not nil into account.
  package mutating func observe(_ bytes: UnsafeRawBufferPointer) {
    if hasValue, possible.isEmpty { return }
    possible.remove(.json)
    if bytes.isWord("nan") {
      // Fits a column of numbers, but does not make one.
      possible.formIntersection([.double])
      return
    }
    hasValue = true
    observeNumber(bytes)
    if possible.contains(.bool), !(bytes.isWord("true") || bytes.isWord("false")) {
      possible.remove(.bool)
    }
    if possible.contains(.date), DateText.seconds(bytes) == nil { possible.remove(.date) }
  }

  private mutating func observeNumber(_ bytes: UnsafeRawBufferPointer) {
    guard possible.contains(.int) || possible.contains(.double) else { return }
    if isCode(bytes) || bytes.isEmpty {
      possible.subtract([.int, .double])
      return
    }
    if possible.contains(.int), NumberText.int(bytes) == nil { possible.remove(.int) }
    if possible.contains(.double), !possible.contains(.int) {
      guard let parts = DecimalParts(bytes) else {
        possible.remove(.double)
        return
      }
      // Whole numbers beyond 64 bits are identifiers: a Double would change them.
      if parts.isWhole, NumberText.int(bytes) == nil { possible.remove(.double) }
    }
  }

  private func isCode(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let start = bytes.count > 0 && bytes[0] == Byte.minus ? 1 : 0
    guard bytes.count > start else { return false }
    if bytes[0] == Byte.plus { return true }
    return bytes[start] == Byte.zero && bytes.count > start + 1 && Byte.isDigit(bytes[start + 1])
  }

  /// Takes a JSON value into account.
  package mutating func observe(_ slot: JSONSlot, _ bytes: UnsafeRawBufferPointer) {
    switch slot.kind {
    case .absent, .null: return
    case .true, .false: narrow(to: .bool)
    case .wholeNumber: narrow(to: NumberText.int(bytes) == nil ? [] : [.int, .double])
    case .number: narrow(to: .double)
    case .string: narrow(to: DateText.seconds(bytes) == nil ? [] : .date)
    case .array, .object: narrow(to: .json)
    }
  }

  private mutating func narrow(to kinds: Kinds) {
    hasValue = true
    possible.formIntersection(kinds)
  }
}
