import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command `roost` as a process: arguments in, exit code out.
package enum Program {
  /// Runs the command that the process was called with and ends the process.
  ///
  /// `serve` owns the main thread for its event loop and must not be below an await: call this from
  /// a synchronous main. The other commands run on the main actor, which `dispatchMain()` drains.
  @MainActor
  package static func main() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let console = Console.standard()
    if arguments.first == ServeCommand.spec.name {
      exit(ServeCommand.run(Array(arguments.dropFirst()), console))
    }
    Task { @MainActor in exit(await Roost.run(arguments, console)) }
    dispatchMain()
  }
}
