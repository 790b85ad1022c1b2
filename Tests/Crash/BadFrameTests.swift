import Foundation
import RoostClient
import RoostModel
import RoostTestSupport
import Testing

/// Every frame of `Protocol/invalid` against a server process, by the client that was written from
/// the specification alone.
@Suite("Bad frames", .serialized)
struct BadFrameTests {
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: python != nil)) func endTheirConnectionAndNeverTheServer() async throws {
    try await withTemporaryDirectory { directory in
      let store = directory.appendingPathComponent("bad.store")
      let server = try await ServerProcess(store: store, durability: "relaxed")
      defer { server.killNow() }
      let bystander = try await RoostClient.connect(server.url)
      defer { bystander.close() }
      let (status, text) = try await Self.sendAll(to: server.url)
      #expect(status == 0, "\(text)")
      #expect(text.contains(", 0 with another reaction"), "\(text)")
      // A connection that did nothing wrong is still there, and so is the process.
      #expect(try await bystander.schema().entities.isEmpty)
    }
  }

  private static func sendAll(to url: String) async throws -> (status: Int32, text: String) {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appendingPathComponent("Protocol")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python ?? "")
    process.arguments = [
      "-B", folder.appendingPathComponent("client.py").path, url, "invalid",
      folder.appendingPathComponent("invalid").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return await withCheckedContinuation { continuation in
      // Reading blocks, so not on the threads of tasks.
      DispatchQueue.global().async {
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        continuation.resume(returning: (process.terminationStatus, text))
      }
    }
  }
}
