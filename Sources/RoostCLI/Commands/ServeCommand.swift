import RoostImport
import RoostModel
import RoostServer

/// `roost serve`: a store behind a port, until SIGTERM or SIGINT.
enum ServeCommand {
  static let spec = CommandSpec(
    name: "serve",
    usages: [
      "serve [--store PATH|:memory:] [--listen HOST:PORT] [--port-file PATH]"
        + " [--durability full|group|relaxed] [--schema FILE] [--insecure]"
    ],
    summary: "serve a store",
    options: [
      OptionSpec("store", "PATH|:memory:", "the store's file (default ./roost.store)"),
      OptionSpec(
        "listen", "HOST:PORT", "where to listen (default 127.0.0.1:7678); port 0 takes a free one"),
      OptionSpec("port-file", "PATH", "write the port there when ready"),
      OptionSpec(
        "durability", "LEVEL",
        "full: fsync before every acknowledgement (default);\ngroup: every few milliseconds; relaxed: when the system likes"
      ),
      OptionSpec("schema", "FILE", "register this schema at start; see roost schema --json"),
      OptionSpec("insecure", nil, "listen beyond this machine without TLS and tokens"),
    ],
    examples: [
      "serve --store flights.store", "serve --store :memory: --listen 127.0.0.1:0 --port-file port",
    ])

  static func run(_ arguments: [String], _ console: Console) -> Int32 {
    do {
      let parsed = try ParsedArguments(arguments, for: spec)
      if parsed.asksForHelp {
        try console.write(spec.help)
        try console.flush()
        return ExitCode.done
      }
      if let extra = parsed.positionals.first {
        throw CommandFault("roost serve: \"\(extra)\" is one argument too many")
      }
      throw CommandFault("not yet")
    } catch {
      let fault = CommandFault.of(error)
      console.note("roost: \(fault)")
      return fault.exitCode
    }
  }
}
