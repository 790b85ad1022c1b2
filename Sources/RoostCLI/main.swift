import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// `serve` owns the main thread for its event loop and must not be below an await. The other
// commands run on the main actor, which dispatchMain() drains.
let arguments = Array(CommandLine.arguments.dropFirst())
let console = Console.standard()

if arguments.first == ServeCommand.spec.name {
  exit(ServeCommand.run(Array(arguments.dropFirst()), console))
}
Task { @MainActor in exit(await Roost.run(arguments, console)) }
dispatchMain()
