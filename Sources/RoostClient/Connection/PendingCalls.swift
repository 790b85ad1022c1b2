import RoostModel

/// What waits for the end of one stream.
struct PendingCall {
  enum Waiter {
    case unary((CallReply) -> Void)
    case handler(any CallHandler, tag: UInt64)
    case stream(any StreamHandler)
    /// Its caller has stopped waiting; the stream keeps its slot until the server ends it.
    case nobody
  }
  let stream: UInt32
  var deadline: LoopInstant
  let isWrite: Bool
  let isLong: Bool
  var waiter: Waiter
  /// A unary reply that came before the end of its stream.
  var reply: [UInt8]?
}

extension PendingCall.Waiter {
  /// Tells the end of the call.
  func end(_ reply: CallReply) {
    switch self {
    case .unary(let completion): completion(reply)
    case .handler(let handler, let tag): handler.answered(tag, reply)
    case .stream(let handler): handler.ended(reply.failure, trailers: reply.trailers)
    case .nobody: break
    }
  }
}

/// Calls by stream number: linear probing over a power of two at most half full, since a
/// dictionary would cost more than all the rest of a small call.
///
/// Numbers are probed apart from the calls, so that looking for one touches no other's references.
struct PendingCalls {
  /// 0 where the slot is free; stream numbers begin with 1.
  private var numbers: [UInt32]
  private var slots: [PendingCall?]
  private(set) var count = 0

  init() {
    numbers = Array(repeating: 0, count: 64)
    slots = Array(repeating: nil, count: 64)
  }

  private var mask: Int { numbers.count - 1 }

  /// Scatters: numbers that follow one another would make one long run.
  private func home(_ stream: UInt32) -> Int {
    Int(truncatingIfNeeded: (stream &* 0x9E37_79B1) >> 8) & mask
  }

  private func find(_ stream: UInt32) -> Int? {
    guard stream != 0 else { return nil }
    var index = home(stream)
    while numbers[index] != 0 {
      if numbers[index] == stream { return index }
      index = (index + 1) & mask
    }
    return nil
  }

  mutating func insert(_ call: consuming PendingCall) {
    if (count + 1) * 2 > numbers.count { grow() }
    let stream = call.stream
    let index = free(for: stream)
    numbers[index] = stream
    slots[index] = consume call
    count += 1
  }

  mutating func remove(_ stream: UInt32) -> PendingCall? {
    guard let index = find(stream) else { return nil }
    let call = slots[index].take()
    close(index)
    count -= 1
    return call
  }

  /// Changes a call where it is; nil if there is none of this number.
  mutating func update<Result>(
    _ stream: UInt32, _ body: (inout PendingCall) -> Result
  ) -> Result? {
    guard let index = find(stream), var call = slots[index].take() else { return nil }
    let result = body(&call)
    slots[index] = call
    return result
  }

  func waiter(_ stream: UInt32) -> PendingCall.Waiter? {
    find(stream).flatMap { slots[$0]?.waiter }
  }

  /// Every open call's number that satisfies the condition, ascending.
  func streams(where condition: (PendingCall) -> Bool) -> [UInt32] {
    slots.compactMap { call in call.flatMap { condition($0) ? $0.stream : nil } }.sorted()
  }

  func forEach(_ body: (PendingCall) -> Void) {
    for case let call? in slots { body(call) }
  }

  private func free(for stream: UInt32) -> Int {
    var index = home(stream)
    while numbers[index] != 0 { index = (index + 1) & mask }
    return index
  }

  /// Moves those back that had probed past the hole.
  private mutating func close(_ index: Int) {
    var hole = index
    var next = (hole + 1) & mask
    while numbers[next] != 0 {
      if (next - home(numbers[next])) & mask >= (next - hole) & mask {
        numbers[hole] = numbers[next]
        slots[hole] = slots[next].take()
        hole = next
      }
      next = (next + 1) & mask
    }
    numbers[hole] = 0
  }

  private mutating func grow() {
    let old = slots
    numbers = Array(repeating: 0, count: old.count * 2)
    slots = Array(repeating: nil, count: old.count * 2)
    for case let call? in old {
      let index = free(for: call.stream)
      numbers[index] = call.stream
      slots[index] = call
    }
  }
}
