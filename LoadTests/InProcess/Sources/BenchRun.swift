import Dispatch
import Foundation

/// Does the measures of one number of objects, repeat after repeat.
struct BenchRun {
  let options: BenchOptions
  let count: Int

  /// - Throws: ``BenchError`` when the two sides read different values, else what a side throws.
  func run() throws -> BenchResult {
    let plan = BenchPlan(count: count, keys: options.keys, seed: options.seed)
    var result = BenchResult(options: options, count: count)
    for _ in 0..<options.repeats {
      var sums: [Measure: UInt64] = [:]
      for side in options.sides {
        try withFolder { folder in
          let subject = try subject(side, folder.appendingPathComponent("bench.store").path)
          try measure(subject, side, plan, &result, &sums)
        }
      }
    }
    return result
  }

  private func measure(
    _ subject: any Subject, _ side: Side, _ plan: BenchPlan, _ result: inout BenchResult,
    _ sums: inout [Measure: UInt64]
  ) throws {
    for measure in Measure.allCases where isNeeded(measure) {
      let begun = DispatchTime.now().uptimeNanoseconds
      let sum = try subject.run(measure, plan)
      let nanoseconds = DispatchTime.now().uptimeNanoseconds - begun
      try subject.settle()
      if options.measures.contains(measure), side == .roost || measure != .release {
        result.add(nanoseconds, measure, side)
      }
      guard let sum else { continue }
      if let other = sums[measure], other != sum {
        throw BenchError("\(measure.rawValue): the two sides read different values")
      }
      sums[measure] = sum
    }
  }

  /// What is measured, and what it cannot do without.
  private func isNeeded(_ measure: Measure) -> Bool {
    let wanted = options.measures
    return switch measure {
    case .insert: true
    case .fetchAll: wanted.contains(.fetchAll) || wanted.contains(.release)
    case .release: true
    case .keysFresh: wanted.contains(.keysFresh) || wanted.contains(.keysSame)
    case .fetchTwo, .keysSame, .upsert, .delete: wanted.contains(measure)
    }
  }

  private func subject(_ side: Side, _ file: String) throws -> any Subject {
    switch side {
    case .roost: try RoostSubject(file: file)
    case .sqlite: try SQLiteSubject(file: file)
    }
  }

  /// A folder that is gone afterwards.
  private func withFolder(_ body: (URL) throws -> Void) throws {
    let parent =
      options.folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("roost-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
