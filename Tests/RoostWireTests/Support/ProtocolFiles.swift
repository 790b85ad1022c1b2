import Foundation

/// The files of `Protocol/`, which tests hold against the code.
enum ProtocolFiles {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) -> String {
    (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
  }

  /// The tab-separated fields of every line that is no comment.
  static func rows(_ path: String) -> [[String]] {
    text("Protocol/" + path).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Hex in parts with spaces between; `part*n` stands for n times the part.
  static func unhex(_ form: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in form.split(separator: " ") {
      let pieces = part.split(separator: "*")
      let digits = Array(pieces.first.map(String.init) ?? "")
      let once = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
      for _ in 0..<(pieces.count > 1 ? Int(pieces[1]) ?? 0 : 1) { bytes += once }
    }
    return bytes
  }
}

extension [UInt8] {
  var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
