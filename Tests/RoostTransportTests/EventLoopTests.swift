import Glibc
import RoostTransport
import Synchronization
import Testing

@Suite struct EventLoopTests {
  @Test func jobsOfOtherThreadsRunInTheirOrder() throws {
    let loop = try EventLoop()
    let seen = Mutex<[Int]>([])
    let mailbox = loop.mailbox
    let thread = try OwnedThread(name: "poster") {
      for index in 0..<1_000 { mailbox.post { _ in seen.withLock { $0.append(index) } } }
    }
    #expect(drive(loop) { seen.withLock { $0.count } == 1_000 })
    thread.join()
    #expect(seen.withLock { $0 } == Array(0..<1_000))
  }

  @Test func jobsBeyondTheLimitAreRefused() throws {
    var limits = TransportLimits()
    limits.mailboxJobs = 2
    let loop = try EventLoop(limits: limits)
    let counter: Mailbox.Job = { _ in }
    #expect(loop.mailbox.post(counter))
    #expect(loop.mailbox.post(counter))
    #expect(!loop.mailbox.post(counter))
    loop.turn()
    #expect(loop.mailbox.post(counter))
  }

  @Test func timersRunInTheOrderOfTheirTimes() throws {
    let clock = ManualLoopClock()
    let loop = try EventLoop(clock: clock)
    var fired: [Int] = []
    for delay in [30, 10, 20, 10] {
      loop.schedule(after: .milliseconds(delay)) { fired.append(delay) }
    }
    let cancelled = loop.schedule(after: .milliseconds(15)) { fired.append(15) }
    loop.cancel(cancelled)
    loop.turn()
    #expect(fired.isEmpty)
    clock.advance(by: .milliseconds(20))
    loop.turn()
    #expect(fired == [10, 10, 20])
    clock.advance(by: .milliseconds(10))
    loop.turn()
    #expect(fired == [10, 10, 20, 30])
  }

  @Test(arguments: [1, 17, 500, 5_000])
  func manyCancelledTimersLeaveTheOthersInOrder(count: Int) throws {
    let clock = ManualLoopClock()
    let loop = try EventLoop(clock: clock)
    var generator = SystemRandomNumberGenerator()
    var expected: [Int] = []
    var fired: [Int] = []
    for _ in 0..<count {
      let delay = Int.random(in: 1...10_000, using: &generator)
      let token = loop.schedule(after: .milliseconds(delay)) { fired.append(delay) }
      if Bool.random(using: &generator) { loop.cancel(token) } else { expected.append(delay) }
    }
    clock.advance(by: .seconds(10))
    loop.turn()
    #expect(fired == expected.sorted())
  }

  @Test func aWaitEndsWithTheNextTimer() throws {
    let loop = try EventLoop()
    var isFired = false
    loop.schedule(after: .milliseconds(5)) { isFired = true }
    loop.turn(waiting: .seconds(10))
    #expect(isFired)
  }

  @Test func aThreadsLoopEndsWhenItIsStopped() throws {
    let thread = try EventLoopThread(name: "loop")
    let count = Mutex(0)
    for _ in 0..<10 { thread.mailbox.post { _ in count.withLock { $0 += 1 } } }
    thread.stop()
    thread.join()
    #expect(count.withLock { $0 } == 10)
    #expect(!thread.mailbox.post { _ in })
  }

  @Test func anActorRunsOnTheLoopsThread() async throws {
    let thread = try EventLoopThread(name: "actor")
    let actor = LoopActor(EventLoopExecutor(thread.mailbox))
    #expect(await actor.add(2) == 2)
    #expect(await actor.add(3) == 5)
    thread.stop()
    thread.join()
  }

  @MainActor
  @Test func aHostedLoopIsRunByTheMainQueue() async throws {
    let loop = try EventLoop()
    try loop.host()
    await withCheckedContinuation { continuation in
      loop.schedule(after: .milliseconds(2)) { continuation.resume() }
    }
    await withCheckedContinuation { continuation in
      loop.mailbox.post { _ in
        MainActor.assertIsolated()
        continuation.resume()
      }
    }
    loop.stop()
  }
}

private actor LoopActor {
  private let executor: EventLoopExecutor
  private var sum = 0

  init(_ executor: EventLoopExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  func add(_ value: Int) -> Int {
    sum += value
    return sum
  }
}

@Suite struct SignalTests {
  @Test func aSignalIsAnEventOfTheLoop() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let loop = try EventLoop()
      var count = 0
      try loop.takeSignals([SIGTERM, SIGINT]) { count += 1 }
      // Whichever thread gets it.
      let thread = try OwnedThread(name: "raiser") { _ = raise(SIGTERM) }
      thread.join()
      while count == 0 { loop.turn(waiting: .seconds(5)) }
      kill(getpid(), SIGINT)
      while count == 1 { loop.turn(waiting: .seconds(5)) }
      exit(7)
    }
  }

  @Test func descriptorsThatRunOutStopNoListener() async {
    await #expect(processExitsWith: .exitCode(9)) {
      let loop = try EventLoop()
      let server = Recorder()
      let listener = try loop.listen(loopback()) { _ in server }
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let address = try loopback(port: listener.port)
      var clients: [SocketChannel] = []
      for _ in 0..<4 { clients.append(try loop.connect(address, handler: Recorder())) }
      // The next descriptor of the process is one too many.
      let probe = open("/dev/null", O_RDONLY)
      limit.rlim_cur = rlim_t(probe)
      close(probe)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      for _ in 0..<50 { loop.turn(waiting: .milliseconds(1)) }
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let client = Recorder()
      let channel = try loop.connect(address, handler: client)
      channel.write([1])
      guard drive(loop, until: { server.bytes == [1] }) else { exit(1) }
      exit(9)
    }
  }
}
