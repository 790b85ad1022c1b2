import FoundationEssentials
import RoostImport
import RoostModel
import RoostServer
import Synchronization

@testable import RoostCLI

/// What a command printed and how it ended.
struct CommandOutcome: Hashable {
  var exitCode: Int32
  var output: String
  var errors: String

  /// The numbers of the last line of `--json`.
  func number(_ name: String) -> Int? {
    let last = output.split(separator: "\n").last.map { String($0) } ?? ""
    guard case .number(let text)? = try? JSONDocument.read(Array(last.utf8))[name] else {
      return nil
    }
    return Int(text)
  }
}

/// Outputs of a console that stay in memory.
final class CapturedConsole: Sendable {
  private let texts = Mutex<(output: [UInt8], errors: [UInt8])>(([], []))

  func console(width: Int? = nil) -> Console {
    Console(
      output: { bytes in
        self.texts.withLock { $0.output += bytes }
        return true
      },
      errors: { bytes in
        self.texts.withLock { $0.errors += bytes }
        return true
      }, outputWidth: width)
  }

  func outcome(_ exitCode: Int32) -> CommandOutcome {
    texts.withLock {
      CommandOutcome(
        exitCode: exitCode, output: String(decoding: $0.output, as: UTF8.self),
        errors: String(decoding: $0.errors, as: UTF8.self))
    }
  }
}

/// Runs a command in this process.
@MainActor
func roost(_ arguments: String..., width: Int? = nil) async -> CommandOutcome {
  let captured = CapturedConsole()
  let code = await Roost.run(arguments, captured.console(width: width))
  return captured.outcome(code)
}

/// A folder of files that goes with the test.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/roost-cli-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  func file(_ name: String, _ text: String) throws -> String {
    let path = "\(self.path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
  }
}

/// Runs `body` with the address of a server in memory that ends afterwards.
@MainActor
func withServer(
  _ schema: StoreSchema? = nil, _ body: @MainActor (_ url: String) async throws -> Void
) async throws {
  let server = try RoostServer(
    ServerConfiguration(store: .memory, port: 0, durability: .relaxed, schema: schema))
  try server.start()
  do {
    try await body("roost://127.0.0.1:\(server.port)")
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}
