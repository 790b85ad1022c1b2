import CLinux
import Glibc

/// Waits for sockets, timers and other threads, and runs what they ask for, one turn at a time.
///
/// A loop and all that hangs on it belong to one thread (or to the main actor, where it is hosted):
/// only ``mailbox`` may be used from elsewhere. It blocks nowhere but in its wait.
///
/// A turn: events, then jobs of other threads, then timers, then the turn's end handlers, then each
/// channel that was written to is flushed with one system call, then closed ones say so.
package final class EventLoop {
  package let limits: TransportLimits
  package let mailbox: Mailbox
  /// The time at the turn's start; one clock call a turn.
  package private(set) var now: LoopInstant
  package private(set) var turnCount: UInt64 = 0
  package private(set) var isStopped = false

  let clock: any LoopClock
  var poller: Poller
  var timers = TimerQueue()
  let readBuffer: UnsafeMutableRawBufferPointer
  var hosting: Hosting?

  private let events: UnsafeMutableBufferPointer<epoll_event>
  private var jobs: [Mailbox.Job] = []
  private var dirty: [any Flushable] = []
  private var farewells: [() -> Void] = []
  private var soon: [() -> Void] = []
  private var turnEndHandlers: [() -> Void] = []
  private var endHandlers: [() -> Void] = []
  private var isInTurn = false

  package init(
    limits: TransportLimits = TransportLimits(), clock: any LoopClock = SystemLoopClock()
  ) throws(TransportError) {
    self.limits = limits
    self.clock = clock
    now = clock.now
    mailbox = try Mailbox(capacity: limits.mailboxJobs)
    poller = try Poller()
    readBuffer = .allocate(byteCount: limits.readBytes, alignment: 64)
    events = .allocate(capacity: limits.eventsPerTurn)
    events.initialize(repeating: epoll_event())
    _ = try poller.add(MailboxPollable(descriptor: mailbox.descriptor, loop: self), .readable)
  }

  deinit {
    Glibc.close(poller.descriptor)
    readBuffer.deallocate()
    events.deallocate()
  }

  // MARK: Turns

  /// Takes one turn, waiting at most `timeout` for something to happen; nil waits for ever.
  package func turn(waiting timeout: Duration? = .zero) {
    let count = wait(timeout)
    now = clock.now
    turnCount &+= 1
    isInTurn = true
    for index in 0..<count {
      let event = events[index]
      poller.owner(of: event.data.u64)?.ready(Poller.readiness(of: event.events))
    }
    runSoon()
    while let action = timers.takeDue(at: now) { action() }
    for handler in turnEndHandlers { handler() }
    finishTurn()
    isInTurn = false
    armHostTimer()
  }

  /// Runs until ``stop()``.
  package func run() {
    while !isStopped { turn(waiting: nil) }
    shutDown()
  }

  /// Ends ``run()`` after this turn, or the hosting; what is open is closed.
  package func stop() {
    isStopped = true
    if hosting != nil { endHosting() } else { mailbox.wake() }
  }

  /// Called at the end of each turn, before channels are flushed; for what is done once a turn.
  package func atTurnEnd(_ handler: @escaping () -> Void) { turnEndHandlers.append(handler) }

  /// Runs `action` at the first turn after `delay`; a waiting loop wakes for it.
  @discardableResult
  package func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerToken {
    let start = isInTurn ? now : clock.now
    defer { if !isInTurn { armHostTimer() } }
    return timers.add(at: start.advanced(by: delay), action)
  }

  package func cancel(_ token: TimerToken) { timers.cancel(token) }

  /// Called when the loop has ended and all that hung on it is closed.
  package func atEnd(_ handler: @escaping () -> Void) { endHandlers.append(handler) }

  /// Makes a waiting loop take a turn; nothing within one, whose end is near anyway.
  package func wake() { if !isInTurn { mailbox.wake() } }

  /// Runs `action` within the next turn; a waiting loop wakes for it.
  package func soon(_ action: @escaping () -> Void) {
    soon.append(action)
    wake()
  }

  // MARK: For channels

  func markDirty(_ channel: any Flushable) {
    dirty.append(channel)
    wake()
  }

  /// Says goodbye at the turn's end, so that no handler is called from within its own call.
  func afterTurn(_ farewell: @escaping () -> Void) {
    farewells.append(farewell)
    wake()
  }

  private func runSoon() {
    if soon.isEmpty { return }
    let actions = soon
    soon = []
    for action in actions { action() }
  }

  func runJobs() {
    mailbox.take(into: &jobs)
    for job in jobs { job(self) }
    jobs.removeAll(keepingCapacity: jobs.capacity <= 4_096)
  }

  /// Closes all that is open; the loop takes no more turns.
  func shutDown() {
    for owner in poller.owners { (owner as? any Closable)?.closeAtOnce() }
    finishTurn()
    for job in mailbox.close() { job(self) }
    finishTurn()
    turnEndHandlers = []
    timers = TimerQueue()
    let handlers = endHandlers
    endHandlers = []
    for handler in handlers { handler() }
  }

  private func finishTurn() {
    var index = 0
    // Farewells may write to other channels, flushes may bring farewells.
    while index < dirty.count || !farewells.isEmpty {
      while index < dirty.count {
        dirty[index].flush()
        index += 1
      }
      let waiting = farewells
      farewells = []
      for farewell in waiting { farewell() }
    }
    dirty.removeAll(keepingCapacity: true)
  }

  private func wait(_ timeout: Duration?) -> Int {
    let count = epoll_wait(
      poller.descriptor, events.baseAddress, Int32(events.count), waitMilliseconds(timeout))
    // A signal may interrupt the wait: the turn then has no events.
    return max(0, Int(count))
  }

  private func waitMilliseconds(_ timeout: Duration?) -> Int32 {
    if !dirty.isEmpty || !farewells.isEmpty || !soon.isEmpty { return 0 }
    var bound = timeout
    if let deadline = timers.nextDeadline() {
      let rest = deadline.elapsed(since: clock.now)
      bound = min(rest, bound ?? rest)
    }
    guard let bound else { return -1 }
    // Rounded up: waking a moment early would spin until the timer is due.
    return Int32(clamping: (bound.clampedNanoseconds + 999_999) / 1_000_000)
  }
}

/// A channel that has something to send.
protocol Flushable: AnyObject {
  func flush()
}

/// Something a loop closes when it ends.
protocol Closable: AnyObject {
  func closeAtOnce()
}

/// The mailbox's descriptor within its loop.
private final class MailboxPollable: Pollable {
  let descriptor: Int32
  private unowned let loop: EventLoop

  init(descriptor: Int32, loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  func ready(_ readiness: Readiness) { loop.runJobs() }
}
