package import FoundationEssentials

/// A directory that is gone after the body.
package func withTemporaryDirectory<Result>(
  _ body: (URL) throws -> Result
) throws -> Result {
  let directory = try TemporaryDirectory.make()
  defer { try? FileManager.default.removeItem(at: directory) }
  return try body(directory)
}

/// A directory that is gone after the body.
package func withTemporaryDirectory<Result>(
  _ body: (URL) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory.make()
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory)
}

private enum TemporaryDirectory {
  static func make() throws -> URL {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("roost-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    return directory
  }
}
