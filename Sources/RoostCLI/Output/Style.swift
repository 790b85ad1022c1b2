/// Colours, for terminals only.
struct Style: Sendable {
  let isColoured: Bool

  func bold(_ text: String) -> String { wrapped(text, "1") }
  func dim(_ text: String) -> String { wrapped(text, "2") }
  func reversed(_ text: String) -> String { wrapped(text, "7") }

  /// Yellow for a warning, red for what is worse.
  func level(_ text: String, _ level: FigureLevel) -> String {
    switch level {
    case .fine: text
    case .warning: wrapped(text, "33")
    case .critical: wrapped(text, "1;31")
    }
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// How many columns text takes on a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      let category = scalar.properties.generalCategory
      return category == .nonspacingMark || category == .enclosingMark ? 0 : 1
    }
  }

  /// The text in at most `width` columns, its end replaced by `…` if it is longer.
  static func fitted(_ text: String, _ width: Int) -> String {
    if of(text) <= width { return text }
    var kept = ""
    var used = 0
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }
}
