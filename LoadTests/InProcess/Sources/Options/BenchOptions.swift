/// What a run is to do, as the command line says it.
struct BenchOptions: Hashable, Sendable {
  /// Objects of each run; several for `--curve`.
  var counts = [100_000]
  /// How many objects are fetched by key.
  var keys = 20_000
  var repeats = 5
  var seed: UInt64 = 1
  var measures = Measure.allCases
  var sides = Side.allCases
  /// Where the store files are made; nil for the temporary folder.
  var folder: String?
  var isJSON = false
}

/// Whose time is taken.
enum Side: String, CaseIterable, Hashable, Sendable {
  case roost
  case sqlite
}

/// What the command line asks for.
enum BenchInvocation: Hashable, Sendable {
  case help
  case run(BenchOptions)
}

/// A wrong call, or a run that could not go on; the text says why.
struct BenchError: Error, Hashable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
