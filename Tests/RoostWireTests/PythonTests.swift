import Foundation
import Testing

/// The second implementation, written from the specification alone, agrees with the vectors.
@Suite struct PythonTests {
  static var python: String? {
    ["/usr/bin/python3", "/usr/local/bin/python3"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  @Test(.enabled(if: python != nil)) func clientAgreesWithTheVectors() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(PythonTests.python))
    let folder = ProtocolFiles.root.appendingPathComponent("Protocol")
    process.arguments = [
      "-B", folder.appendingPathComponent("client.py").path, "--vectors",
      folder.appendingPathComponent("vectors").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("values.txt: \(VectorTests.values.count) vectors, 0 bad"))
    #expect(text.contains("frames.txt: \(VectorTests.frames.count) vectors, 0 bad"))
  }
}
