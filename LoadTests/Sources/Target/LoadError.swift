import RoostClient

/// Why a run ends without a result.
struct LoadError: Error, Hashable, CustomStringConvertible {
  let description: String
  let exitCode: ExitCode

  init(_ description: String, _ exitCode: ExitCode) {
    self.description = description
    self.exitCode = exitCode
  }

  init(_ error: ClientError) {
    let isWrongCall = error.code == .invalidURL
    self.init(
      error.description,
      isWrongCall ? .wrongCall : error.isUnreachable ? .unreachable : .failed)
  }
}

/// What the program's end says to scripts.
enum ExitCode: Int32 {
  case success = 0
  /// Requests failed, or the run could not be made.
  case failed = 1
  case wrongCall = 2
  case unreachable = 3
}
