/// A side that can do the measures, one after the other, on one store file.
protocol Subject: AnyObject {
  /// Does a measure.
  ///
  /// - Returns: A sum over all values that were read, equal on all sides; nil where nothing is.
  func run(_ measure: Measure, _ plan: BenchPlan) throws -> UInt64?
  /// Ends what a measure left running in the background; its time is not taken.
  func settle() throws
}

/// Adds values up so that reading them cannot be left out, and so that two sides can be compared.
struct CheckSum {
  private(set) var value: UInt64 = 0

  mutating func add(_ number: Int) { value = value &+ UInt64(bitPattern: Int64(number)) }
  mutating func add(_ number: Double) { value = value &+ number.bitPattern }
  mutating func add(_ flag: Bool) { value = value &+ (flag ? 1 : 0) }
  mutating func add(_ text: String) { value = value &+ UInt64(text.utf8.count) }
}
