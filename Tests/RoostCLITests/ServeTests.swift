import FoundationEssentials
import RoostModel
import RoostServer
import Testing

@testable import RoostCLI

/// Stores that `roost serve` cannot open.
@Suite @MainActor struct ServeTests {
  private func refusal(of store: String) -> CommandFault? {
    do {
      _ = try ServeCommand.makeServer(ServerConfiguration(store: .file(store), port: 0))
      return nil
    } catch {
      return CommandFault.of(error)
    }
  }

  /// One code for all of them, and a message with the file and what would be right.
  @Test func allEndWithOneCodeAndNameTheFile() throws {
    let folder = try TestFolder()
    let text = try folder.file("text.csv", String(repeating: "a,b,c\n", count: 400))
    let served = folder.path + "/served"
    let server = try ServeCommand.makeServer(
      ServerConfiguration(store: .file(served), port: 0))
    for (store, reason) in [
      (folder.path, "it is a folder; name the file that keeps the store"),
      (folder.path + "/none/store", "there is no folder"),
      (text, "name a store of Roost's, or a file that is not there yet"),
      (served, "is in use by process"),
    ] {
      let fault = try #require(refusal(of: store))
      #expect(fault.exitCode == ExitCode.wrongCall, "\(store): \(fault)")
      #expect(fault.description.contains(store), "\(fault)")
      #expect(fault.description.contains(reason), "\(fault)")
    }
    withExtendedLifetime(server) {}
  }
}
