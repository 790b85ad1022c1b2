#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What code on a loop's thread may do; it never leaves that thread.
///
/// A turn: wait, read and handle what came, run the jobs, fire the timers, then write what each
/// connection has gathered, so that the calls made in one turn leave in one write.
public final class LoopScope {
  let inbox: LoopInbox
  /// One buffer for all connections: what is read is handled before the next read.
  let readBuffer: UnsafeMutableRawBufferPointer
  var isStopping = false
  /// The moment this turn began.
  public private(set) var now = LoopInstant.now
  private var polls: [pollfd]
  /// The member of each entry of ``polls`` but the first, which is the inbox.
  private var members: [LoopMember?] = [nil]
  private var freeSlots: [Int] = []
  private var dirty: [LoopMember] = []
  private var timers = TimerHeap()
  private var jobs: [LoopInbox.Job] = []
  private var soonBodies: [() -> Void] = []

  init(_ inbox: LoopInbox) {
    self.inbox = inbox
    polls = [pollfd(fd: inbox.readEnd, events: Int16(POLLIN), revents: 0)]
    readBuffer = .allocate(byteCount: ClientLimits.readBytesMax, alignment: 16)
  }

  deinit { readBuffer.deallocate() }

  /// Runs `body` on this thread no earlier than after `duration`, or when the loop stops.
  @discardableResult
  public func after(_ duration: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    timers.add(LoopInstant.now.advanced(by: duration), body)
  }

  /// Runs `body` on this thread no earlier than at `due`, or when the loop stops.
  @discardableResult
  public func at(_ due: LoopInstant, _ body: @escaping () -> Void) -> LoopTimer {
    timers.add(due, body)
  }

  /// Forgets a timer; nothing happens if it has fired.
  public func cancel(_ timer: LoopTimer) { timers.cancel(timer) }

  /// Runs `body` later in this turn, so that no completion runs inside the call it belongs to.
  func soon(_ body: @escaping () -> Void) { soonBodies.append(body) }

  /// Ends the loop after this turn.
  public func stop() { isStopping = true }

  // MARK: Members

  /// Takes a member into the poll; false when the loop carries as many as it may.
  func add(_ member: LoopMember) -> Bool {
    guard members.count - freeSlots.count <= ClientLimits.connectionsMax else { return false }
    if let slot = freeSlots.popLast() {
      member.slot = slot
      members[slot] = member
    } else {
      member.slot = members.count
      members.append(member)
      polls.append(pollfd(fd: -1, events: 0, revents: 0))
    }
    return true
  }

  /// Says which descriptor a member has now, and what it waits for.
  func watch(_ member: LoopMember, _ descriptor: Int32, reading: Bool, writing: Bool) {
    let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
    polls[member.slot] = pollfd(fd: descriptor, events: events, revents: 0)
  }

  func remove(_ member: LoopMember) {
    guard member.slot > 0, members[member.slot] === member else { return }
    members[member.slot] = nil
    polls[member.slot].fd = -1
    polls[member.slot].revents = 0
    freeSlots.append(member.slot)
    member.slot = 0
  }

  /// The member has something to write at the end of this turn.
  func markDirty(_ member: LoopMember) {
    if member.isDirty { return }
    member.isDirty = true
    dirty.append(member)
  }

  // MARK: Turns

  func run() {
    while !isStopping { turn() }
    for member in members { member?.loopStopped() }
    // A job or timer that comes late finds its connections closed and ends its calls with that.
    for job in inbox.finish() { job(self) }
    for _ in 0..<LoopScope.lastTurnsMax {
      for member in members { member?.loopStopped() }
      let late = timers.removeAll()
      if late.isEmpty, soonBodies.isEmpty { break }
      for body in late { body() }
      runSoon()
    }
  }

  /// Work that makes new work for ever does not keep a stopped loop alive.
  private static let lastTurnsMax = 64

  private func runSoon() {
    var index = 0
    while index < soonBodies.count {
      soonBodies[index]()
      index += 1
    }
    soonBodies.removeAll(keepingCapacity: true)
  }

  private func turn() {
    wait()
    now = LoopInstant.now
    if polls[0].revents != 0 { inbox.take(&jobs) }
    for slot in 1..<max(1, polls.count) where polls[slot].revents != 0 {
      let events = Int32(polls[slot].revents)
      polls[slot].revents = 0
      members[slot]?.ready(readable: events & ~POLLOUT != 0, writable: events & POLLOUT != 0)
    }
    if !jobs.isEmpty {
      for job in jobs { job(self) }
      jobs.removeAll(keepingCapacity: true)
    }
    for member in members {
      if let member, member.nextDeadline <= now { member.expire(now) }
    }
    while let body = timers.next(now) { body() }
    runSoon()
    flush()
  }

  private func wait() {
    var due = timers.nextDue
    for member in members { if let member { due = min(due, member.nextDeadline) } }
    Poll.wait(&polls, until: soonBodies.isEmpty ? due : now)
  }

  private func flush() {
    // A write may fail and end calls, whose completions may make others dirty.
    var index = 0
    while index < dirty.count {
      dirty[index].isDirty = false
      dirty[index].flush()
      index += 1
    }
    dirty.removeAll(keepingCapacity: true)
  }
}

/// Something with a descriptor that a loop polls; confined to the loop's thread.
public class LoopMember {
  /// Its place in the poll; 0 while it has none.
  final var slot = 0
  final var isDirty = false
  /// No deadline of this member is earlier; it may be earlier than all.
  final var nextDeadline = LoopInstant.never

  init() {}

  func ready(readable: Bool, writable: Bool) {}
  /// Ends what is due; sets ``nextDeadline`` anew if it has passed.
  func expire(_ now: LoopInstant) {}
  func flush() {}
  func loopStopped() {}
}
