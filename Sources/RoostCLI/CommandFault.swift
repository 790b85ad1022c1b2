import RoostClient
import RoostImport
import RoostModel

/// How a command ended, for scripts; part of the command line's promise.
enum ExitCode {
  static let done: Int32 = 0
  /// Something did not go in, was not found, or the server refused it.
  static let failed: Int32 = 1
  /// The call itself is wrong.
  static let wrongCall: Int32 = 2
  /// There is no server to speak to.
  static let unreachable: Int32 = 3
  /// `roost doctor` found something that cannot wait.
  static let critical: Int32 = 4
}

/// Why a command ended early: one message for people and one number for scripts.
struct CommandFault: Error, Hashable, CustomStringConvertible {
  var exitCode: Int32
  var description: String

  init(_ description: String, exitCode: Int32 = ExitCode.wrongCall) {
    self.description = description
    self.exitCode = exitCode
  }

  /// The fault for whatever a command's work throws.
  static func of(_ error: any Error) -> CommandFault {
    switch error {
    case let fault as CommandFault: fault
    case let fault as BindingFault: CommandFault(fault.description)
    case let fault as InputFault: CommandFault(fault.description)
    case let fault as QueryTextError: CommandFault(fault.description)
    case let fault as ClientError: of(fault)
    case let fault as StoreError: CommandFault(fault.description, exitCode: ExitCode.failed)
    case let fault as CellFault: CommandFault(fault.reason)
    default: CommandFault("\(error)", exitCode: ExitCode.failed)
    }
  }

  private static func of(_ error: ClientError) -> CommandFault {
    if error.code == .invalidURL { return CommandFault(error.description) }
    let isGone = error.isUnreachable || error.code == .connectionLost
    return CommandFault(
      error.description, exitCode: isGone ? ExitCode.unreachable : ExitCode.failed)
  }
}
