import Dispatch
import RoostClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The command `roost-load` as a process: loads a Roost server and tells how fast it answers.
package enum LoadProgram {
  /// Runs with the process' arguments and ends the process.
  package static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let signals = Interruption.listen()
    let code = await run(arguments)
    withExtendedLifetime(signals) { exit(code.rawValue) }
  }

  private static func run(_ arguments: [String]) async -> ExitCode {
    do throws(OptionError) {
      let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      switch try OptionParser.parse(arguments, processors: processors) {
      case .help:
        Terminal.write(HelpText.text, to: STDOUT_FILENO)
        return .success
      case .run(let options): return await load(options)
      case .compare(let left, let right, let report): return compare(left, right, report)
      }
    } catch {
      return complain(error.description, .wrongCall)
    }
  }

  private static func load(_ options: LoadOptions) async -> ExitCode {
    let terminal = Terminal.standardError
    do throws(LoadError) {
      // Better known before the run than after it.
      if let file = options.reportFile {
        try reporting { () throws(RecordError) in try ReportFile.write("", to: file) }
      }
      let url = try await asking { () throws(ClientError) in try RoostURL(options.url) }
      let result = try await run(options, url, terminal)
      terminal.clear()
      show(result)
      try report(result)
      return result.isGood ? .success : .failed
    } catch {
      terminal.clear()
      return complain(error.description, error.exitCode)
    }
  }

  private static func run(
    _ options: LoadOptions, _ url: RoostURL, _ terminal: Terminal
  ) async throws(LoadError) -> RunResult {
    if let target = options.search {
      return try await RateSearch(url: url, terminal: terminal, target: target).run(options)
    }
    let options = try await Calibration(url: url, terminal: terminal).resolve(options)
    return try await LoadRun(options: options, url: url, terminal: terminal).run()
  }

  private static func show(_ result: RunResult) {
    let text =
      result.options.isJSON
      ? JSONReport.details(result) + "\n" + JSONReport.summary(result) + "\n"
      : TableReport.text(result)
    Terminal.write(text, to: STDOUT_FILENO)
  }

  private static func report(_ result: RunResult) throws(LoadError) {
    guard let file = result.options.reportFile else { return }
    try reporting { () throws(RecordError) in
      try ReportFile.write(HTMLReport.page(RecordReader.record(of: result)), to: file)
    }
    if !result.options.isJSON { Terminal.write("report     \(file)\n", to: STDOUT_FILENO) }
  }

  private static func compare(_ left: String, _ right: String, _ file: String?) -> ExitCode {
    do throws(RecordError) {
      let first = try RecordReader.read(ReportFile.read(left), name: left)
      let second = try RecordReader.read(ReportFile.read(right), name: right)
      if let file {
        let page = HTMLReport.page(comparing: first, second, names: (left, right))
        try ReportFile.write(page, to: file)
      }
      Terminal.write(Comparison.text(first, second, names: (left, right)), to: STDOUT_FILENO)
      return .success
    } catch {
      return complain(error.description, .wrongCall)
    }
  }

  private static func reporting(_ body: () throws(RecordError) -> Void) throws(LoadError) {
    do throws(RecordError) { try body() } catch {
      throw LoadError(error.description, .wrongCall)
    }
  }

  private static func complain(_ text: String, _ code: ExitCode) -> ExitCode {
    Terminal.write("roost-load: \(text)\n", to: STDERR_FILENO)
    return code
  }
}
