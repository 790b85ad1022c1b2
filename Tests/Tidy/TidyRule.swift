/// Something a file must not do, and where it does.
struct Violation: CustomStringConvertible {
  var path: String
  /// From 1.
  var line: Int
  var reason: String

  var description: String { "\(path):\(line): \(reason)" }
}

/// A habit of style that a machine can keep.
enum TidyRule: String, CaseIterable {
  case shortFiles
  case shortFunctions
  case narrowLines
  case nothingLeftUndone
  case reasonedEscapes
  case noMachinePaths
  case noSleepInTests
  case noPlaceholders

  static let fileLinesMax = 600
  static let functionLinesMax = 60
  static let columnsMax = 100

  func violations(in file: SourceFile) -> [Violation] {
    switch self {
    case .shortFiles:
      guard file.lines.count > Self.fileLinesMax else { return [] }
      return [
        Violation(path: file.path, line: Self.fileLinesMax, reason: "\(file.lines.count) lines")
      ]
    case .shortFunctions: return longFunctions(file)
    case .narrowLines:
      return lines(of: file) { line in
        line.utf8.count > Self.columnsMax && line.count > Self.columnsMax
          ? "\(line.count) columns" : nil
      }
    case .nothingLeftUndone:
      return lines(of: file) { line in
        // Six of them are the form of a temporary name.
        Self.leftovers.first { line.contains($0) && !line.contains($0 + "X") }
          .map { "leftover \($0)" }
      }
    case .reasonedEscapes: return unreasonedEscapes(file)
    case .noMachinePaths:
      return lines(of: file) { line in
        Self.machinePaths.first { line.contains($0) }.map { "names a machine's path \($0)" }
      }
    case .noSleepInTests: return sleeps(file)
    case .noPlaceholders:
      guard file.path.hasSuffix("/Placeholder.swift") else { return [] }
      return [Violation(path: file.path, line: 1, reason: "a placeholder")]
    }
  }

  // Written in halves, so that this file does not break its own rules.
  private static let leftovers = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]
  private static let machinePaths = ["/ho" + "me/", "/wo" + "rk/", "/Us" + "ers/", "/ro" + "ot/"]
  private static let escapes = [
    "@unchecked Sendable", "nonisolated(unsafe)", "try!", "fatalError(", " as! ",
  ]
  private static let sleeps = ["Task.sleep", "usleep(", "Thread.sleep", " sleep("]

  private func lines(of file: SourceFile, _ reason: (String) -> String?) -> [Violation] {
    file.lines.enumerated().compactMap { index, line in
      reason(line).map { Violation(path: file.path, line: index + 1, reason: $0) }
    }
  }

  /// The formatter puts a body's closing brace under the beginning of its declaration.
  private func longFunctions(_ file: SourceFile) -> [Violation] {
    var found: [Violation] = []
    for (index, line) in file.lines.enumerated() where isFunction(line) {
      let indent = String(line.prefix { $0 == " " })
      // The declaration's own brace closes first: `}` at its indent.
      guard let end = file.lines[index...].firstIndex(where: { $0 == indent + "}" }),
        end - index + 1 > Self.functionLinesMax
      else { continue }
      // A declaration without a body (a protocol's) ends at somebody else's brace.
      let isBodiless = file.lines[index..<end].first { $0.hasSuffix("{") } == nil
      if isBodiless { continue }
      found.append(
        Violation(path: file.path, line: index + 1, reason: "\(end - index + 1) lines of function"))
    }
    return found
  }

  private func isFunction(_ line: String) -> Bool {
    let words = line.split(separator: " ").prefix { !$0.contains("(") }.map { String($0) }
    let first = line.split(separator: " ").first { $0.contains("(") || $0.contains("<") } ?? ""
    if line.contains("//") || line.contains("\"") { return false }
    return words.contains("func") || first.hasPrefix("init(") || first.hasPrefix("init<")
      || words.contains("deinit")
  }

  /// What switches the compiler's checks off needs the reason why it may: a comment on the line
  /// itself or right above.
  private func unreasonedEscapes(_ file: SourceFile) -> [Violation] {
    guard !file.isTest else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
      guard let code = code.first, let escape = Self.escapes.first(where: { code.contains($0) })
      else { return nil }
      let above = index > 0 ? file.lines[index - 1] : ""
      if line.contains("// ") || above.contains("// ") || above.contains("/// ") { return nil }
      return Violation(path: file.path, line: index + 1, reason: "\(escape) without a reason")
    }
  }

  private func sleeps(_ file: SourceFile) -> [Violation] {
    guard file.isTest, !file.path.hasPrefix("Tests/Tidy/") else { return [] }
    return lines(of: file) { line in
      Self.sleeps.first { line.contains($0) && !line.contains("func sleep(") }
        .map { "waits with\($0)" }
    }
  }
}
