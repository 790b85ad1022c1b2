import Foundation

/// The command `roost-bench` as a process.
package enum BenchProgram {
  /// Runs with the process' arguments and ends the process.
  package static func main() -> Never {
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  private static func run(_ arguments: [String]) -> Int32 {
    let options: BenchOptions
    do throws(BenchError) {
      switch try BenchOptionParser.parse(arguments) {
      case .help:
        write(BenchHelp.text, to: .standardOutput)
        return 0
      case .run(let read): options = read
      }
    } catch {
      write("roost-bench: \(error)\n", to: .standardError)
      return 2
    }
    do {
      for count in options.counts {
        let result = try BenchRun(options: options, count: count).run()
        let text = options.isJSON ? BenchJSON.line(result) + "\n" : BenchTable.text(result)
        write(text, to: .standardOutput)
      }
      return 0
    } catch {
      write("roost-bench: \(error)\n", to: .standardError)
      return 1
    }
  }

  private static func write(_ text: String, to file: FileHandle) {
    try? file.write(contentsOf: Data(text.utf8))
  }
}
