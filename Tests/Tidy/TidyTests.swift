import Testing

@Suite("Tidy")
struct TidyTests {
  @Test(arguments: TidyRule.allCases)
  func holdsInEveryFile(rule: TidyRule) throws {
    let files = try Repository.swiftFiles.get()
    #expect(files.count > 50, "the repository was not found")
    let violations = files.flatMap { rule.violations(in: $0) }
    #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
  }

  /// A rule that cannot find anything is no rule: each has a file that breaks it.
  @Test(arguments: Sample.broken)
  func findsWhatBreaksIt(sample: Sample) {
    #expect(sample.rule.violations(in: sample.file).count == 1)
  }

  @Test(arguments: Sample.kept)
  func letsPassWhatKeepsIt(sample: Sample) {
    #expect(sample.rule.violations(in: sample.file).isEmpty)
  }

  @Test func everyFolderIsATarget() throws {
    let manifest = try Repository.text("Package.swift")
    for folder in try Repository.folders(in: "Sources") {
      #expect(manifest.contains("\"\(folder)\""), "Sources/\(folder) belongs to no target")
    }
    for folder in try Repository.folders(in: "Tests") {
      let isTarget = manifest.contains("\"\(folder)\"") || manifest.contains("\"Tests/\(folder)\"")
      #expect(isTarget, "Tests/\(folder) belongs to no target")
    }
  }
}

/// A file made to break a rule, or just to keep it.
struct Sample: CustomTestStringConvertible {
  var rule: TidyRule
  var file: SourceFile

  var testDescription: String { "\(rule) \(file.path)" }

  private init(_ rule: TidyRule, _ path: String, _ text: String) {
    self.rule = rule
    file = SourceFile(path: path, text: text)
  }

  private static func function(_ head: String, lines: Int) -> String {
    "  \(head) {\n" + String(repeating: "    a()\n", count: lines) + "  }"
  }

  static let broken = [
    Sample(.shortFiles, "Sources/A/B.swift", String(repeating: "\n", count: 601)),
    Sample(.shortFunctions, "Sources/A/B.swift", function("func long()", lines: 59)),
    Sample(
      .shortFunctions, "Sources/A/B.swift", function("package init(\n    a: Int\n  )", lines: 58)),
    Sample(.narrowLines, "Tests/A/B.swift", String(repeating: "x", count: 101)),
    Sample(.nothingLeftUndone, "Sources/A/B.swift", "// TO" + "DO: later"),
    Sample(.reasonedEscapes, "Sources/A/B.swift", "final class A: @unchecked Sendable {}"),
    Sample(.reasonedEscapes, "Sources/A/B.swift", "let a = try! b()"),
    Sample(.reasonedEscapes, "LoadTests/Sources/B.swift", "\n  fatalError()"),
    Sample(.noMachinePaths, "Tests/A/B.swift", "let a = \"/ho" + "me/me/file\""),
    Sample(.noSleepInTests, "Tests/A/B.swift", "try await Task.sleep(for: .seconds(1))"),
    Sample(.noPlaceholders, "Sources/A/Placeholder.swift", ""),
  ]

  static let kept = [
    Sample(.shortFiles, "Sources/A/B.swift", String(repeating: "\n", count: 600)),
    Sample(.shortFunctions, "Sources/A/B.swift", function("func fine()", lines: 58)),
    Sample(.narrowLines, "Tests/A/B.swift", String(repeating: "ü", count: 100)),
    Sample(
      .reasonedEscapes, "Sources/A/B.swift",
      "// Locked by `lock`.\nfinal class A: @unchecked Sendable {}"),
    Sample(.reasonedEscapes, "Sources/A/B.swift", "let a = try! b()  // A constant that parses."),
    Sample(.reasonedEscapes, "Sources/A/B.swift", "/// No fatalError( here."),
    Sample(.noSleepInTests, "Sources/A/B.swift", "try await Task.sleep(for: .seconds(1))"),
  ]
}
