import RoostImport
import RoostModel

/// The commands by name, and what happens without one.
@MainActor
enum Roost {
  static let commands: [any Command.Type] = [
    ImportCommand.self, QueryCommand.self, GetCommand.self, PutCommand.self, DeleteCommand.self,
    SchemaCommand.self, StatsCommand.self, TopCommand.self, SlowCommand.self, DoctorCommand.self,
  ]

  /// Commands that are promised and not there yet.
  static let later = ["watch"]

  static var names: [String] { ["serve"] + commands.map { $0.spec.name } }

  static let version = "roost \(RoostVersion.current)"

  static var help: String {
    let specs = [ServeCommand.spec] + commands.map { $0.spec }
    let width = specs.map(\.name.count).max() ?? 0
    let lines = specs.map { spec in
      "  \(spec.name)\(String(repeating: " ", count: width + 2 - spec.name.count))\(spec.summary)"
    }
    return """
      roost: SwiftData for servers

      usage: roost COMMAND ...

      \(lines.joined(separator: "\n"))

      roost COMMAND --help says more, roost --version which one this is. URL is roost://HOST:PORT.
      Exit codes: 0 done, 1 something was rejected, refused or not found, 2 a wrong call,
      3 no server to speak to. roost doctor: 0 nothing found, 1 warnings, 4 something critical.

      """
  }

  /// Runs a command that speaks to a server.
  static func run(_ arguments: [String], _ console: Console) async -> Int32 {
    do {
      let code = try await run(checked: arguments, console)
      try console.flush()
      return code
    } catch is ClosedOutput {
      return ExitCode.done
    } catch {
      let fault = CommandFault.of(error)
      console.note("roost: \(fault)")
      return fault.exitCode
    }
  }

  private static func run(checked arguments: [String], _ console: Console) async throws -> Int32 {
    guard let name = arguments.first else {
      console.note(help.trimmedNewline)
      return ExitCode.wrongCall
    }
    if ["help", "--help", "-h"].contains(name) { return try showHelp(arguments, console) }
    if name == "--version" {
      try console.write(version + "\n")
      return ExitCode.done
    }
    guard !later.contains(name) else {
      throw CommandFault("roost \(name) is not in this version")
    }
    guard let command = commands.first(where: { $0.spec.name == name }) else {
      throw CommandFault("there is no command \"\(name)\"\(NearestName.hint(name, among: names))")
    }
    let parsed = try ParsedArguments(Array(arguments.dropFirst()), for: command.spec)
    guard !parsed.asksForHelp else {
      try console.write(command.spec.help)
      return ExitCode.done
    }
    return try await command.init(parsed).run(console)
  }

  private static func showHelp(_ arguments: [String], _ console: Console) throws -> Int32 {
    let specs = [ServeCommand.spec] + commands.map { $0.spec }
    let asked = arguments.dropFirst().first
    guard let asked else {
      try console.write(help)
      return ExitCode.done
    }
    guard let spec = specs.first(where: { $0.name == asked }) else {
      throw CommandFault("there is no command \"\(asked)\"\(NearestName.hint(asked, among: names))")
    }
    try console.write(spec.help)
    return ExitCode.done
  }
}
