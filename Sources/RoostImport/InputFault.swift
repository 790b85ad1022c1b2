/// Why a row, or the rest of a file, cannot go in.
///
/// The file's name is the caller's to add: this room sees bytes only.
package struct InputFault: Error, Hashable, Sendable {
  /// Of the record's first byte, from 1.
  package var line: Int
  package var attribute: String?
  package var reason: String
  /// The reader cannot find the next record; nothing more can be read from this input.
  package var isFatal: Bool

  package init(line: Int, attribute: String? = nil, reason: String, isFatal: Bool = false) {
    self.line = line
    self.attribute = attribute
    self.reason = reason
    self.isFatal = isFatal
  }
}

extension InputFault: CustomStringConvertible {
  package var description: String {
    let place = attribute.map { "line \(line), \($0)" } ?? "line \(line)"
    return "\(place): \(reason)"
  }
}

/// Why one cell has no value of its attribute's type; says what was found and what would be right.
package struct CellFault: Error, Hashable, Sendable {
  package var reason: String
  /// The attribute the value was for; whoever knows it sets it.
  package var attribute: String?

  package init(_ reason: String, attribute: String? = nil) {
    self.reason = reason
    self.attribute = attribute
  }

  static func wrong(_ found: UnsafeRawBufferPointer, _ expected: String) -> CellFault {
    CellFault("\"\(excerpt(found))\" is not \(expected)")
  }

  /// The start of a value, safe to print on one line of a terminal.
  package static func excerpt(_ bytes: UnsafeRawBufferPointer) -> String {
    let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(ImportLimits.excerptBytes))
    var text = ""
    for scalar in String(decoding: head, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\"": text += "\\\""
      case let other where other.value < 0x20 || other.value == 0x7F: text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return bytes.count > head.count ? text + "…" : text
  }
}
