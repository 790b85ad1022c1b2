import RoostModel
import RoostTransport
import Testing

@testable import RoostServer

@Suite struct SectionRoomTests {
  @Test func whatASectionDoesNotTakeIsForTheNext() {
    // 101 bytes each, with 256 set aside.
    let entries = Array(repeating: Value.text(String(repeating: "x", count: 99)), count: 10)
    var room = SectionRoom(256 + 1_010, beside: [], sections: 2)
    #expect(room.fitted([]).isEmpty)
    #expect(room.fitted(entries).count == 10)
    room = SectionRoom(256 + 1_010, beside: [], sections: 2)
    #expect(room.fitted(entries).count == 5)
    #expect(room.fitted(entries).count == 5)
    room = SectionRoom(100, beside: [MapEntry("a", .int(1))], sections: 1)
    #expect(room.fitted(entries).isEmpty)
  }
}

@Suite struct ClockWatchTests {
  private static let second: Int64 = 1_000_000_000

  @Test func runningOnIsNoStep() {
    var watch = ClockWatch()
    for second in 0..<100 {
      // As a time service slews it: half a millisecond in each second.
      let wall = Int64(second) * Self.second + Int64(second) * 500_000
      watch.look(wall: wall, running: Int64(second) * Self.second)
    }
    #expect(watch.steps == 0)
  }

  @Test(arguments: [-3_600, -2, 2, 86_400] as [Int64]) func aJumpIsCountedOnce(_ seconds: Int64) {
    var watch = ClockWatch()
    watch.look(wall: 0, running: 0)
    watch.look(wall: (seconds + 1) * Self.second, running: Self.second)
    watch.look(wall: (seconds + 2) * Self.second, running: 2 * Self.second)
    #expect(watch.steps == 1)
  }
}

@Suite struct RecentRateTests {
  private func at(_ seconds: Double) -> LoopInstant {
    LoopInstant(nanoseconds: UInt64(seconds * 1e9))
  }

  @Test func aSteadyRateIsToldAndOneThatEndedIsForgotten() {
    var rate = RecentRate(now: at(0))
    var total = 0
    for tick in 1...80 {
      total += 250
      rate.look(total, now: at(Double(tick) / 4))
    }
    #expect(abs(rate.perSecond(total, now: at(20)) - 1_000) < 60)
    for tick in 81...140 { rate.look(total, now: at(Double(tick) / 4)) }
    #expect(rate.perSecond(total, now: at(35)) == 0)
  }

  @Test func noTimeIsNeverDividedBy() {
    #expect(RecentRate(now: at(1)).perSecond(5, now: at(1)) == 0)
  }
}

@Suite struct ModelTableTests {
  @Test func eachEntityIsCountedApart() {
    var table = ModelTable()
    table.count(3) { $0.gets += 2 }
    table.count(1) { $0.gets += 1 }
    table.count(3) { $0.queries += 1 }
    #expect(table[3].gets == 2 && table[3].queries == 1)
    #expect(table[1].gets == 1 && table[2].gets == 0 && table[99].gets == 0)
  }

  @Test func anyIdentifierIsHarmless() {
    var table = ModelTable()
    table.count(.max) { $0.gets += 1 }
    #expect(table[.max].gets == 0)
  }
}

@Suite struct TextCutTests {
  @Test(arguments: ["", "abc", String(repeating: "x", count: 20)])
  func whatFitsStays(_ text: String) { #expect(text.cut(toBytes: 20) == text) }

  @Test(arguments: ["x", "é", "👩‍👩‍👧", "e\u{301}"])
  func whatDoesNotFitLosesWholeCharacters(_ character: String) {
    let text = String(repeating: character, count: 50)
    for bytes in 3..<60 {
      let short = text.cut(toBytes: bytes)
      #expect(short.utf8.count <= max(bytes, 3))
      guard text.utf8.count > bytes else { continue }
      #expect(short.hasSuffix("…") && text.hasPrefix(short.dropLast()))
      let characters = short.dropLast()
      #expect(characters.allSatisfy { String($0) == character }, "\(bytes)")
    }
  }
}
