/// What a connection knows of one open stream; everything rare is in ``StreamExtras``.
struct StreamEntry: Sendable {
  struct Flags: OptionSet, Sendable {
    var rawValue: UInt8
    /// The peer sends nothing more.
    static let inputEnded = Flags(rawValue: 0x01)
    /// This side has sent, or queued, its last frame.
    static let outputEnded = Flags(rawValue: 0x02)
    /// CANCEL came or went; messages are dropped until END.
    static let cancelled = Flags(rawValue: 0x04)
    /// Takes a long slot instead of a unary one.
    static let isLong = Flags(rawValue: 0x08)
    /// The request's message has not come, or waits behind a barrier.
    static let isWaiting = Flags(rawValue: 0x10)
    /// There is an entry in `extras`.
    static let hasExtras = Flags(rawValue: 0x20)
    /// More than one message may come.
    static let takesMessages = Flags(rawValue: 0x40)
    /// The owner wants to know when it can send again.
    static let wantsCredit = Flags(rawValue: 0x80)
  }

  var id: UInt32
  var flags: Flags
  /// May go below zero by one frame.
  var sendCredit: Int
  var receiveCredit: Int
  /// What ``receiveCredit`` is when everything received has been given back.
  var receiveWindow: Int
  /// Received message bytes the owner has not yet said it took.
  var unreturned = 0

  init(id: UInt32, flags: Flags, sendCredit: Int, receiveCredit: Int) {
    self.id = id
    self.flags = flags
    self.sendCredit = sendCredit
    self.receiveCredit = receiveCredit
    receiveWindow = receiveCredit
  }
}

/// Open streams by id: linear probing over a power of two, at most half full.
///
/// It makes no allocation per stream once it has its size, and starts without any.
struct StreamTable: Sendable {
  private var slots: [StreamEntry] = []
  private(set) var count = 0

  private var mask: Int { slots.count - 1 }
  private static let free = StreamEntry(id: 0, flags: [], sendCredit: 0, receiveCredit: 0)

  /// Where the stream is, good until the next insert or remove.
  func find(_ id: UInt32) -> Int? {
    guard count > 0, id != 0 else { return nil }
    var index = home(id)
    while true {
      let found = slots[index].id
      if found == id { return index }
      if found == 0 { return nil }
      index = (index + 1) & mask
    }
  }

  subscript(index: Int) -> StreamEntry {
    get { slots[index] }
    _modify { yield &slots[index] }
  }

  /// - Precondition: The id is not 0 and not in the table.
  mutating func insert(_ entry: StreamEntry) {
    if (count + 1) * 2 > slots.count { grow() }
    place(entry)
    count += 1
  }

  mutating func remove(at index: Int) {
    var hole = index
    var next = (hole + 1) & mask
    while slots[next].id != 0 {
      // An entry moves into the hole unless its home lies between hole and itself.
      let home = home(slots[next].id)
      if ((next - home) & mask) >= ((next - hole) & mask) {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = StreamTable.free
    count -= 1
  }

  /// Every open stream's id, ascending.
  var ids: [UInt32] { slots.lazy.filter { $0.id != 0 }.map(\.id).sorted() }

  /// The lowest open id; nil when none is open.
  var lowest: UInt32? { slots.lazy.filter { $0.id != 0 }.map(\.id).min() }

  private func home(_ id: UInt32) -> Int {
    Int(truncatingIfNeeded: (id &* 0x9E37_79B1) >> 8) & mask
  }

  private mutating func place(_ entry: StreamEntry) {
    var index = home(entry.id)
    while slots[index].id != 0 { index = (index + 1) & mask }
    slots[index] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: StreamTable.free, count: max(16, old.count * 2))
    for entry in old where entry.id != 0 { place(entry) }
  }
}

/// What few streams have: fragments being joined, a request that waits, messages without credit.
struct StreamExtras: Sendable {
  /// Bytes of the fragments so far; nil when no message is open.
  var fragments: [UInt8]?
  var fragmentsAreDeflated = false
  /// The joined message grew over the limit: drop the rest of it.
  var isDiscarding = false
  var head: RequestHead?
  /// The request's message, held behind a barrier.
  var held: [UInt8]?
  /// Fragments ready to go, oldest first.
  var outbound: [OutboundFrame] = []
  var outboundStart = 0
  /// END's payload, to go when `outbound` is empty.
  var outboundEnd: [UInt8]?

  var isEmpty: Bool {
    fragments == nil && !isDiscarding && head == nil && held == nil && outbound.isEmpty
      && outboundEnd == nil
  }
}

/// A MESSAGE frame that waits for credit.
struct OutboundFrame: Sendable {
  var flags: FrameFlags
  var payload: [UInt8]
}
