import Foundation
import Glibc
import Synchronization

/// A `roost serve` of its own process, to be killed.
final class ServerProcess: Sendable {
  let port: Int
  private let process: Mutex<Process>
  private let processIdentifier: Int32

  /// Starts a server and waits for its word that it serves.
  init(store: URL, port: Int = 0, durability: String = "full") async throws {
    let process = Process()
    process.executableURL = ServerProcess.executable
    process.arguments = [
      "serve", "--store", store.path, "--listen", "127.0.0.1:\(port)", "--durability", durability,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    processIdentifier = process.processIdentifier
    self.process = Mutex(process)
    let line = await ServerProcess.firstLine(output.fileHandleForReading)
    guard let port = line.split(separator: ":").last.flatMap({ Int($0) }) else {
      kill(processIdentifier, SIGKILL)
      throw Failure(what: "the server did not start; it said “\(line)”")
    }
    self.port = port
  }

  struct Failure: Error, CustomStringConvertible {
    var what: String
    var description: String { what }
  }

  var url: String { "roost://127.0.0.1:\(port)" }

  /// kill -9; safe on any thread, and again.
  func killNow() { kill(processIdentifier, SIGKILL) }

  /// Waits until the process is gone and gives the signal that ended it, 0 for an exit.
  func ended() async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let signal = self.process.withLock { process in
          process.waitUntilExit()
          return process.terminationReason == .uncaughtSignal ? process.terminationStatus : 0
        }
        continuation.resume(returning: signal)
      }
    }
  }

  /// Beside the test bundle, where the build puts it.
  static var executable: URL {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
    return bundle.deletingLastPathComponent().appendingPathComponent("roost")
  }

  /// Reads on a thread that may block; empty when the process ended instead.
  private static func firstLine(_ handle: FileHandle) async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var line: [UInt8] = []
        while let byte = handle.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
          line.append(byte)
        }
        continuation.resume(returning: String(decoding: line, as: UTF8.self))
      }
    }
  }
}
