import CLinux
import Dispatch
import Glibc

extension EventLoop {
  /// Makes the loop run the main queue as well, and with it everything of the main actor.
  ///
  /// Only for a loop on the main thread of a program with a synchronous `main`: libdispatch gives
  /// the main queue's eventfd and the call that drains it, as it does to CoreFoundation.
  @MainActor
  package func adoptMainQueue() throws(TransportError) {
    let descriptor = _dispatch_get_main_queue_handle_4CF()
    guard descriptor >= 0 else {
      throw TransportError(.system, "the main queue has no descriptor")
    }
    _ = try poller.add(MainQueuePollable(descriptor: descriptor), .readable)
    // What was enqueued before anybody watched has not signalled.
    _dispatch_main_queue_callback_4CF(nil)
  }

  /// Lets the main queue run this loop instead: a turn whenever something is ready.
  ///
  /// For tests and for programs that run the main queue themselves. Ends with ``stop()``.
  @MainActor
  package func host() throws(TransportError) {
    guard hosting == nil else { return }
    // Only the main queue runs the handler, and this loop belongs to the main actor.
    nonisolated(unsafe) let loop = self
    let source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: .main)
    source.setEventHandler { if !loop.isStopped { loop.turn() } }
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.setEventHandler { if !loop.isStopped { loop.turn() } }
    timer.schedule(deadline: .distantFuture)
    hosting = Hosting(source: source, timer: timer)
    source.activate()
    timer.activate()
    armHostTimer()
    mailbox.wake()
  }

  func armHostTimer() {
    guard hosting != nil else { return }
    let deadline = timers.nextDeadline()
    guard deadline != hosting?.armed else { return }
    hosting?.armed = deadline
    guard let deadline else {
      hosting?.timer.schedule(deadline: .distantFuture)
      return
    }
    let rest = Int(clamping: deadline.elapsed(since: clock.now).clampedNanoseconds)
    hosting?.timer.schedule(deadline: .now() + .nanoseconds(rest))
  }

  func endHosting() {
    guard let ended = hosting else { return }
    hosting = nil
    // The descriptor must stay open until the source has let go of it: the handler keeps the loop.
    nonisolated(unsafe) let loop = self
    ended.source.setCancelHandler { loop.shutDown() }
    ended.source.cancel()
    ended.timer.cancel()
  }
}

/// The dispatch sources that run a hosted loop.
struct Hosting {
  let source: any DispatchSourceRead
  let timer: any DispatchSourceTimer
  var armed: LoopInstant?
}

/// The main queue's descriptor within the loop.
private final class MainQueuePollable: Pollable {
  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  func ready(_ readiness: Readiness) {
    var counter: UInt64 = 0
    _ = SystemCall.retrying { Glibc.read(descriptor, &counter, 8) }
    _dispatch_main_queue_callback_4CF(nil)
  }
}
