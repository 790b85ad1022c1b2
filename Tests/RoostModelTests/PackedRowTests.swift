import RoostModel
import RoostTestSupport
import Testing

@Suite("Packed rows")
struct PackedRowTests {
  private func bytes(_ values: [Value]) -> [UInt8] {
    var writer = PackedWriter()
    for value in values { writer.value(value) }
    return writer.bytes
  }

  /// Every golden value behind every other one, and a number behind both.
  @Test(arguments: PackedValueTests.golden)
  func findsWhatStandsBehindAValue(first: Value, hex: String) {
    for (second, _) in PackedValueTests.golden {
      let packed = bytes([first, second, .int(300)])
      packed.withUnsafeBytes { buffer in
        let row = PackedRow(buffer, at: 0)
        #expect(row.value(1) == second)
        #expect(row.integer(2) == 300)
        #expect(row.end(columns: 3) == packed.count)
        #expect(row.end(columns: 4) == nil)
      }
    }
  }

  @Test(arguments: PackedValueTests.golden)
  func readsAValueInItsOwnFormOnly(value: Value, hex: String) {
    bytes([value]).withUnsafeBytes { buffer in
      let row = PackedRow(buffer, at: 0)
      #expect(row.isNull(0) == (value == .null))
      #expect(row.integer(0).map { .int($0) } == (value.isInteger ? value : nil))
      #expect(row.text(0).map { .text($0) } == (value.isText ? value : nil))
      #expect(row.flag(0).map { .bool($0) } == (value.isFlag ? value : nil))
      let real = row.real(0)
      switch value {
      case .double(let number), .date(let number):
        #expect(real.map { .double($0) } == Value.double(number))
      default: #expect(real == nil)
      }
    }
  }

  /// What ends early is nothing, whatever is asked for; nothing traps.
  @Test func endsEarlyWithoutATrap() {
    let whole = bytes(PackedValueTests.golden.map(\.0))
    for count in 0..<whole.count {
      Array(whole[..<count]).withUnsafeBytes { buffer in
        let row = PackedRow(buffer, at: 0)
        #expect(row.end(columns: PackedValueTests.golden.count) == nil)
        for column in PackedValueTests.golden.indices {
          _ = (row.value(column), row.integer(column), row.real(column), row.text(column))
          _ = (row.flag(column), row.isNull(column))
        }
      }
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func survivesAnyBytes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var noise: [UInt8] = []
    for _ in 0..<200 { noise.append(UInt8(truncatingIfNeeded: random.next())) }
    noise.withUnsafeBytes { buffer in
      for start in 0...200 {
        let row = PackedRow(buffer, at: start)
        for column in 0..<6 {
          _ = (row.value(column), row.integer(column), row.real(column), row.text(column))
          if let end = row.end(columns: column) { #expect(end <= 200) }
        }
      }
    }
  }

  @Test func textThatIsNoTextIsNothing() {
    ([0x42, 0xC3, 0x28] as [UInt8]).withUnsafeBytes { #expect(PackedRow($0, at: 0).text(0) == nil) }
    ([0x42, 0xC3, 0xA4] as [UInt8]).withUnsafeBytes { #expect(PackedRow($0, at: 0).text(0) == "ä") }
  }
}

extension Value {
  fileprivate var isInteger: Bool { if case .int = self { true } else { false } }
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
  fileprivate var isFlag: Bool { if case .bool = self { true } else { false } }
}
