import Dispatch
import RoostImport
import Synchronization

/// A chunk of rows and the file it comes from.
struct FileBatch: Sendable {
  var file: Int
  var batch: ImportBatch
  /// Bytes read of all files that the stream shares.
  var sourceOffset: UInt64 = 0
}

/// Brings chunks from the thread that reads files to the task that sends them.
///
/// At most ``CommandLimits/readAheadBatches`` wait; then the reading thread blocks. So a file's
/// size has no part in the memory of an import.
final class BatchChannel: Sendable {
  private struct State {
    var batches: [FileBatch] = []
    var ending: Result<Void, any Error>?
    var isAborted = false
    var waiter: CheckedContinuation<Void, Never>?

    mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
      defer { waiter = nil }
      return waiter
    }
  }

  private let state = Mutex(State())
  private let room = DispatchSemaphore(value: 0)

  init() {
    // Raised from 0: a semaphore that goes while below its first value traps, and a channel that
    // was aborted goes with chunks in it.
    for _ in 0..<CommandLimits.readAheadBatches { room.signal() }
  }

  /// Hands a chunk over; blocks while there is no room.
  ///
  /// - Throws: `CancellationError` when nobody will take it.
  func put(_ batch: FileBatch) throws {
    room.wait()
    let waiter = try state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.isAborted { throw CancellationError() }
      state.batches.append(batch)
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// Says that nothing follows, or why.
  func finish(_ ending: Result<Void, any Error>) {
    let waiter = state.withLock { state in
      if state.ending == nil { state.ending = ending }
      return state.takeWaiter()
    }
    waiter?.resume()
  }

  /// Nobody takes chunks any more: the reading thread stops at its next one.
  func abort() {
    state.withLock { state in
      state.isAborted = true
      state.batches = []
    }
    room.signal()
  }

  /// The next chunk; nil at the end. For one task.
  func next() async throws -> FileBatch? {
    while true {
      let (batch, ending) = state.withLock { state in
        let batch = state.batches.isEmpty ? nil : state.batches.removeFirst()
        return (batch, state.ending)
      }
      if let batch {
        room.signal()
        return batch
      }
      if let ending {
        try ending.get()
        return nil
      }
      await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
        let isReady = state.withLock { state in
          if !state.batches.isEmpty || state.ending != nil { return true }
          state.waiter = waiter
          return false
        }
        if isReady { waiter.resume() }
      }
    }
  }
}

/// Bounds of the commands' own memory and patience.
enum CommandLimits {
  /// Chunks read and not yet sent, of one stream.
  static let readAheadBatches = 8
  /// Bytes of one read of a file.
  static let readBytes = 256 << 10
  /// Streams of one import.
  static let jobsMax = 16
  /// Streams unless --jobs says otherwise.
  static let jobsDefault = 4
  /// How long an import waits for a server that is gone: long enough for a restart.
  static let importPatience = Duration.seconds(15)
  /// Rejected rows shown on the terminal.
  static let rejectsShown = 10
  /// Bytes of a pipe that may be looked at for its types.
  static let pipeSampleBytes = 32 << 20
}
