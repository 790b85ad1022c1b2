import FoundationEssentials

/// A Swift file of the repository, by lines.
struct SourceFile {
  /// From the top of the repository.
  var path: String
  var lines: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    if lines.last?.isEmpty == true { lines.removeLast() }
  }

  var isTest: Bool { path.hasPrefix("Tests/") }
}

/// The repository these tests stand in.
enum Repository {
  static let top: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url
  }()

  /// Every Swift file of ours, in a fixed order.
  static let swiftFiles = Result { try readSwiftFiles() }

  private static func readSwiftFiles() throws -> [SourceFile] {
    var files: [SourceFile] = []
    for folder in ["Sources", "Tests", "LoadTests/Sources"] {
      let root = top.appendingPathComponent(folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
      where path.hasSuffix(".swift") {
        let text = try text(folder + "/" + path)
        files.append(SourceFile(path: folder + "/" + path, text: text))
      }
    }
    return files
  }

  static func text(_ path: String) throws -> String {
    let data = try Data(contentsOf: top.appendingPathComponent(path))
    return String(decoding: data, as: UTF8.self)
  }

  static func folders(in path: String) throws -> [String] {
    let root = top.appendingPathComponent(path)
    return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().filter {
      $0.hasPrefix(".") == false && $0.hasSuffix(".swift") == false
    }
  }
}
