import Testing

@testable import RoostClient

@Suite struct CallQueueTests {
  @Test func keepsTheOrderThroughGrowthAndShrinking() {
    var queue = CallQueue<Int>(countMax: 10_000)
    var expected: [Int] = []
    var taken: [Int] = []
    for round in 0..<5_000 {
      let isTaken = queue.append(round)
      #expect(isTaken)
      expected.append(round)
      if round % 3 != 0, let first = queue.popFirst() { taken.append(first) }
    }
    #expect(queue.count == expected.count - taken.count)
    while let first = queue.popFirst() { taken.append(first) }
    #expect(taken == expected)
    #expect(queue.isEmpty)
  }

  @Test func refusesMoreThanItsBound() {
    var queue = CallQueue<Int>(countMax: 2)
    let taken = [1, 2, 3].map { queue.append($0) }
    #expect(taken == [true, true, false])
    let first = queue.popFirst()
    #expect(first == 1)
    _ = queue.append(3)
    let rest = queue.drain()
    #expect(rest == [2, 3])
  }

  @Test func removesTheMarkedAndKeepsTheRestInOrder() {
    var queue = CallQueue<Int>(countMax: 100)
    for number in 0..<10 { _ = queue.append(number) }
    _ = queue.popFirst()
    let removed = queue.removeAll { $0 % 2 == 0 }
    #expect(removed == [2, 4, 6, 8])
    let rest = queue.drain()
    #expect(rest == [1, 3, 5, 7, 9])
  }
}

@Suite struct TimerHeapTests {
  @Test(arguments: [1, 2, 3, 7, 100] as [UInt64])
  func firesInOrderOfTimeThenOfSetting(_ seed: UInt64) {
    var heap = TimerHeap()
    var fired: [UInt64] = []
    var random = seed
    var dues: [UInt64] = []
    for _ in 0..<200 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let due = random >> 56
      dues.append(due)
      _ = heap.add(LoopInstant(nanoseconds: due)) { fired.append(due) }
    }
    #expect(heap.nextDue.nanoseconds == dues.min())
    while let body = heap.next(LoopInstant(nanoseconds: 300)) { body() }
    #expect(fired == dues.sorted())
  }

  @Test func aCancelledTimerNeverFires() {
    var heap = TimerHeap()
    var fired: [Int] = []
    var timers: [LoopTimer] = []
    for number in 0..<20 {
      timers.append(
        heap.add(LoopInstant(nanoseconds: UInt64(20 - number))) { fired.append(number) })
    }
    for number in stride(from: 0, to: 20, by: 2) { heap.cancel(timers[number]) }
    heap.cancel(timers[0])
    while let body = heap.next(.never) { body() }
    #expect(fired == stride(from: 19, to: 0, by: -2).map { $0 })
  }

  @Test func nothingFiresBeforeItsTime() {
    var heap = TimerHeap()
    _ = heap.add(LoopInstant(nanoseconds: 10)) {}
    let early = heap.next(LoopInstant(nanoseconds: 9))
    #expect(early == nil)
    let due = heap.next(LoopInstant(nanoseconds: 10))
    #expect(due != nil)
    #expect(heap.nextDue == .never)
  }

  @Test func momentsSaturate() {
    let now = LoopInstant.now
    #expect(now.advanced(by: .seconds(Int64.max)) == .never)
    #expect(now.advanced(by: .seconds(-1)) == now)
    #expect(now.advanced(by: .microseconds(1_500)).milliseconds(from: now) == 2)
    #expect(now.milliseconds(from: now) == 0)
  }
}

@Suite struct PendingCallsTests {
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func agreesWithADictionary(_ seed: UInt64) {
    var calls = PendingCalls()
    var model: [UInt32: UInt64] = [:]
    var random = seed
    var next: UInt32 = 1
    for step in 0..<20_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let isGrowing = step / 2_000 % 2 == 0
      if random >> 60 < (isGrowing ? 9 : 6) || model.isEmpty {
        let due = LoopInstant(nanoseconds: random)
        calls.insert(
          PendingCall(
            stream: next, deadline: due, isWrite: false, isLong: false, waiter: .nobody))
        model[next] = random
        next += 1 + UInt32(truncatingIfNeeded: random >> 20) % 3
      } else {
        let wanted = UInt32(truncatingIfNeeded: random >> 16) % next
        let found = calls.remove(wanted)?.deadline.nanoseconds
        #expect(found == model.removeValue(forKey: wanted), "seed \(seed), step \(step)")
      }
      if calls.count != model.count { break }
    }
    #expect(calls.count == model.count)
    #expect(calls.streams { _ in true } == model.keys.sorted())
    for stream in model.keys {
      let deadline = calls.update(stream) { $0.deadline.nanoseconds }
      #expect(deadline == model[stream])
    }
    let none = calls.remove(0)
    #expect(none == nil)
  }
}
