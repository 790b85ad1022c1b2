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
struct PendingCalls {
  private var slots: [PendingCall?] = Array(repeating: nil, count: 64)
  private(set) var count = 0

  private var mask: Int { slots.count - 1 }

  private func home(_ stream: UInt32) -> Int { Int(stream) & mask }

  private func find(_ stream: UInt32) -> Int? {
    var index = home(stream)
    while let call = slots[index] {
      if call.stream == stream { return index }
      index = (index + 1) & mask
    }
    return nil
  }

  mutating func insert(_ call: PendingCall) {
    if (count + 1) * 2 > slots.count { grow() }
    place(call)
    count += 1
  }

  mutating func remove(_ stream: UInt32) -> PendingCall? {
    guard let index = find(stream) else { return nil }
    let call = slots[index]
    close(index)
    count -= 1
    return call
  }

  /// Changes a call where it is; nil if there is none of this number.
  mutating func update<Result>(
    _ stream: UInt32, _ body: (inout PendingCall) -> Result
  ) -> Result? {
    guard let index = find(stream), var call = slots[index] else { return nil }
    slots[index] = nil
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

  private mutating func place(_ call: PendingCall) {
    var index = home(call.stream)
    while slots[index] != nil { index = (index + 1) & mask }
    slots[index] = call
  }

  /// Moves those back that had probed past the hole.
  private mutating func close(_ index: Int) {
    var hole = index
    var next = (hole + 1) & mask
    while let call = slots[next] {
      if (next - home(call.stream)) & mask >= (next - hole) & mask {
        slots[hole] = call
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = nil
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: old.count * 2)
    for case let call? in old { place(call) }
  }
}
