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

  private func wrongCall(_ arguments: String...) -> CommandFault? {
    do {
      let options = try ServeOptions(try ParsedArguments(arguments, for: ServeCommand.spec))
      _ = try ServeCommand.makeServer(try options.configuration())
      return nil
    } catch {
      return CommandFault.of(error)
    }
  }

  @Test(arguments: [
    "", ":", "7679", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1",
    "127.0.0.1:+1", "[host]:1", "127.0.0.1:1 ",
  ])
  func aWrongAdminAddressSaysWhatWouldBeRight(_ address: String) {
    let fault = wrongCall("--store", ":memory:", "--admin", address)
    #expect(fault?.exitCode == ExitCode.wrongCall)
    #expect(
      fault?.description
        == "--admin \(address): should be HOST:PORT with a port of 0 to 65535, such as "
        + "127.0.0.1:7679")
  }

  @Test(arguments: [
    ("127.0.0.1:0", "127.0.0.1", 0), (":99", "127.0.0.1", 99), ("[::1]:5", "::1", 5),
    ("localhost:65535", "localhost", 65_535),
  ])
  func adminAddressesAreRead(_ text: String, _ host: String, _ port: UInt16) throws {
    let address = try AdminOptions.address(text)
    #expect(address.host == host)
    #expect(address.port == port)
  }

  @Test func anAdminAddressOfOtherMachinesWantsAToken() throws {
    for address in ["0.0.0.0:0", "[::]:0"] {
      let fault = try #require(wrongCall("--store", ":memory:", "--admin", address))
      #expect(fault.exitCode == ExitCode.wrongCall)
      #expect(fault.description.contains("can be reached by other machines"))
      #expect(fault.description.contains("--admin-token-file"))
    }
    #expect(wrongCall("--admin", "::1:5")?.description.contains("such as [::1]:7679") == true)
    #expect(
      wrongCall("--admin-token-file", "token")?.description
        == "--admin-token-file: there is no admin port; name it, --admin HOST:PORT")
  }

  @Test func anAddressOfOtherMachinesIsNoFaultOfTheStore() throws {
    let folder = try TestFolder()
    let fault = try #require(
      wrongCall("--store", folder.path + "/store", "--listen", "0.0.0.0:0"))
    #expect(fault.exitCode == ExitCode.wrongCall)
    #expect(fault.description.hasPrefix("'0.0.0.0' can be reached by other machines"))
  }

  @Test func aTokenFileHasOneLine() throws {
    let folder = try TestFolder()
    let word = "0123456789abcdef0123456789abcdef"
    let port = ["--store", ":memory:", "--admin", "0.0.0.0:0", "--admin-token-file"]
    for (text, reason) in [
      ("", "line 1: the token has 0 characters; it should be one line of 16 to 1024"),
      ("short\n", "line 1: the token has 5 characters"),
      ("two words are not a token\n", "line 1: the token has characters other than visible ASCII"),
      ("\(word)\n\n\(word)\n", "line 3: should not be there; a token is one line"),
    ] {
      let path = try folder.file("token", text)
      let arguments = try ParsedArguments(port + [path], for: ServeCommand.spec)
      let fault = #expect(throws: CommandFault.self) {
        try ServeOptions(arguments).configuration()
      }
      #expect(fault?.exitCode == ExitCode.wrongCall)
      #expect(fault?.description.hasPrefix("--admin-token-file \(path), \(reason)") == true)
    }
    for text in [word, word + "\n", word + "\r\n"] {
      let path = try folder.file("token", text)
      let arguments = try ParsedArguments(port + [path], for: ServeCommand.spec)
      let admin = try ServeOptions(arguments).configuration().admin
      #expect(admin == AdminEndpoint(host: "0.0.0.0", port: 0, token: word))
    }
    let missing = try ParsedArguments(port + [folder.path + "/none"], for: ServeCommand.spec)
    #expect(throws: CommandFault.self) { try ServeOptions(missing).configuration() }
  }
}
