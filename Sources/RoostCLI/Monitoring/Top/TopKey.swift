/// A key as a terminal sends it.
enum TopKey: Hashable, Sendable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case tab, backTab, escape, enter
  /// Ctrl-C, which a terminal in raw mode does not turn into a signal.
  case interrupt
}

/// Takes the bytes of a terminal apart into keys; a key may come in pieces.
struct TopKeyParser {
  /// A sequence that has begun. Bounded: what grows longer is dropped.
  private var pending: [UInt8] = []
  private static let sequenceMax = 16

  /// Whether a lone Escape, or the beginning of a sequence, waits for what follows.
  var isWaiting: Bool { !pending.isEmpty }

  /// The keys that the bytes complete.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [TopKey] {
    var keys: [TopKey] = []
    for byte in bytes {
      if let key = take(byte) { keys.append(key) }
    }
    return keys
  }

  /// What was begun is all there is: a lone Escape is that key.
  mutating func flush() -> [TopKey] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }

  private mutating func take(_ byte: UInt8) -> TopKey? {
    guard pending.isEmpty else { return takeSequence(byte) }
    switch byte {
    case 0x1B:
      pending = [byte]
      return nil
    case 0x03, 0x04: return .interrupt
    case 0x09: return .tab
    case 0x0A, 0x0D: return .enter
    case 0x20..<0x7F: return .character(Character(Unicode.Scalar(byte)))
    default: return nil
    }
  }

  private mutating func takeSequence(_ byte: UInt8) -> TopKey? {
    if pending.count == 1, byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") {
      // Escape and another key at once.
      pending = []
      return byte == 0x1B ? .escape : nil
    }
    pending.append(byte)
    let isFinal = pending.count > 2 && (0x40...0x7E).contains(byte)
    guard isFinal || pending.count >= TopKeyParser.sequenceMax else { return nil }
    defer { pending = [] }
    return TopKeyParser.key(String(decoding: pending.dropFirst(2), as: UTF8.self))
  }

  private static func key(_ sequence: String) -> TopKey? {
    switch sequence {
    case "A": .up
    case "B": .down
    case "C": .right
    case "D": .left
    case "H", "1~", "7~": .home
    case "F", "4~", "8~": .end
    case "Z": .backTab
    case "5~": .pageUp
    case "6~": .pageDown
    default: nil
    }
  }
}
