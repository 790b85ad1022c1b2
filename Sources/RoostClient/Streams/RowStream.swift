public import RoostModel
package import RoostWire
import Synchronization

/// The rows of a query, batch by batch, as fast as they are taken and no faster.
///
/// The server stops when a window of bytes is under way and not taken. One stream is one snapshot
/// of the store; a connection that is lost in the middle ends it with an error, never early.
/// It can be iterated once; leaving the loop early stops the query.
public struct RowStream: AsyncSequence, Sendable {
  /// Rows in the server's portions.
  public typealias Element = RowBatch
  /// All that can go wrong.
  public typealias Failure = ClientError

  let handle: RowStreamHandle

  /// Starts to take the batches; a second iterator shares the rest with the first.
  public func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

  /// Takes one batch after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let handle: RowStreamHandle

    /// The next batch; nil after the last.
    public mutating func next() async throws(ClientError) -> RowBatch? {
      guard let bytes = try await handle.core.next().get() else { return nil }
      return try MethodCodec.reply(bytes, FetchMessage.init).rows
    }
  }
}

/// The same with what the prefetch paths bring.
package struct FetchMessageStream: AsyncSequence, Sendable {
  package typealias Element = FetchMessage
  package typealias Failure = ClientError

  let handle: RowStreamHandle

  package func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

  package struct Iterator: AsyncIteratorProtocol {
    let handle: RowStreamHandle

    package mutating func next() async throws(ClientError) -> FetchMessage? {
      guard let bytes = try await handle.core.next().get() else { return nil }
      return try MethodCodec.reply(bytes, FetchMessage.init)
    }
  }
}

/// Cancels the stream when nobody can take its rows any more.
final class RowStreamHandle: Sendable {
  let core: RowStreamCore
  init(_ core: RowStreamCore) { self.core = core }
  deinit { core.abandon() }
}

/// What stands between a stream's handler on the loop and the task that takes the rows.
///
/// Bounded by credit: the server sends no more than a window and a frame ahead of what was taken.
final class RowStreamCore: StreamHandler, Sendable {
  typealias Step = Result<[UInt8]?, ClientError>

  fileprivate struct State {
    var messages = CallQueue<(bytes: [UInt8], credit: Int)>(
      countMax: ClientLimits.fetchBatchesMax)
    var ending: Step?
    var waiter: CheckedContinuation<Step, Never>?
    /// Credit of what was taken and is not yet returned.
    var taken = 0
    var place: StreamPlace?
    var trailers: [MapEntry] = []
    var isStarted = false
    var start: (@Sendable () -> Void)?
    var cancel: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())
  private let loop: ClientLoop
  private static let creditStep = 64 << 10

  init(_ loop: ClientLoop) { self.loop = loop }

  /// What starts the query at the first wish for a row, and what stops it.
  func prepare(
    start: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
  ) {
    state.withLock {
      $0.start = start
      $0.cancel = cancel
    }
  }

  // Called by the task.

  func next() async -> Step {
    let start = state.withLock { state in
      defer { state.start = nil }
      return state.start
    }
    start?()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in take(waiter) }
    } onCancel: {
      abandon(.cancelled)
    }
  }

  private func take(_ waiter: CheckedContinuation<Step, Never>) {
    let (step, release) = state.withLock { state -> (Step?, (StreamPlace, Int)?) in
      guard let message = state.messages.popFirst() else {
        if let ending = state.ending { return (ending, nil) }
        if state.waiter != nil {
          let text = "a stream of rows is taken by two tasks at once"
          return (.failure(ClientError(.invalidArgument, .local, text)), nil)
        }
        state.waiter = waiter
        return (nil, state.releaseTaken(atLeast: 1))
      }
      state.taken += message.credit
      return (.success(message.bytes), state.releaseTaken(atLeast: RowStreamCore.creditStep))
    }
    if let (place, credit) = release { loop.execute { _ in place.release(credit) } }
    if let step { waiter.resume(returning: step) }
  }

  /// Ends the stream for its taker and stops the query.
  func abandon(_ error: ClientError = .cancelled) {
    let (waiter, cancel) = state.withLock { state in
      if state.ending == nil { state.ending = .failure(error) }
      _ = state.messages.drain()
      defer {
        state.waiter = nil
        state.cancel = nil
        state.start = nil
      }
      return (state.waiter, state.cancel)
    }
    cancel?()
    waiter?.resume(returning: .failure(error))
  }

  // Called by the loop.

  func opened(_ connection: RoostConnection, stream: UInt32) {
    state.withLock { $0.place = StreamPlace(connection: connection, stream: stream) }
  }

  func received(_ message: UnsafeRawBufferPointer, wireBytes: Int) {
    let bytes = [UInt8](message)
    let waiter = state.withLock { state -> CheckedContinuation<Step, Never>? in
      guard state.ending == nil else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        state.taken += wireBytes
        return waiter
      }
      if !state.messages.append((bytes, wireBytes)) {
        let text = "more than \(ClientLimits.fetchBatchesMax) batches came at once"
        state.ending = .failure(ClientError(.resourceExhausted, .local, text))
      }
      return nil
    }
    waiter?.resume(returning: .success(bytes))
  }

  func creditReturned() {}

  func ended(_ failure: AttemptFailure?, trailers: [MapEntry]) {
    let ending: Step = failure.map { .failure($0.error) } ?? .success(nil)
    let waiter = state.withLock { state in
      if state.ending == nil { state.ending = ending }
      state.trailers = trailers
      state.place = nil
      state.cancel = nil
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: ending)
  }
}

extension RowStreamCore.State {
  /// Takes out what may be returned, if that is enough to be worth a frame.
  fileprivate mutating func releaseTaken(atLeast step: Int) -> (StreamPlace, Int)? {
    guard taken >= step, let place else { return nil }
    defer { taken = 0 }
    return (place, taken)
  }
}

/// A stream of a connection, carried by threads that do not touch it.
///
/// `@unchecked Sendable`: used only in jobs of the loop the connection belongs to.
struct StreamPlace: @unchecked Sendable {
  weak var connection: RoostConnection?
  let stream: UInt32

  func release(_ credit: Int) { connection?.release(stream, credit) }
}
