import Foundation
import RoostTestSupport
import Testing

@testable import RoostBench

@Suite struct BenchRunTests {
  /// A run throws when the two sides read different values.
  @Test func bothSidesDoEveryMeasureAndReadTheSame() throws {
    try withTemporaryDirectory { folder in
      var options = BenchOptions()
      options.keys = 40
      options.repeats = 2
      options.folder = folder.path
      let result = try BenchRun(options: options, count: 300).run()
      for measure in Measure.allCases {
        #expect(result.samples(measure, .roost).nanoseconds.count == 2)
        #expect(result.samples(measure, .sqlite).nanoseconds.count == (measure == .release ? 0 : 2))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test func measuresOnlyWhatIsAskedFor() throws {
    try withTemporaryDirectory { folder in
      var options = BenchOptions()
      options.keys = 5
      options.repeats = 1
      options.measures = [.keysSame]
      options.sides = [.roost]
      options.folder = folder.path
      let result = try BenchRun(options: options, count: 10).run()
      #expect(result.samples(.keysSame, .roost).nanoseconds.count == 1)
      #expect(result.samples(.insert, .roost).nanoseconds.isEmpty)
      #expect(result.samples(.keysFresh, .roost).nanoseconds.isEmpty)
    }
  }
}
