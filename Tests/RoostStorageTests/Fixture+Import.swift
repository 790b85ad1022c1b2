import Dispatch
import RoostModel
import RoostStorage
import Synchronization

extension Fixture {
  /// Submits one chunk and waits for what becomes of it.
  func take(
    _ chunk: ImportChunk, of descriptor: ImportDescriptor
  ) -> Result<ImportAcknowledgement, StoreError> {
    let done = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    store.submit(chunk, of: descriptor) { result in
      outcome.result.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return outcome.result.withLock { $0 }
  }

  private final class Outcome: Sendable {
    let result = Mutex<Result<ImportAcknowledgement, StoreError>>(
      .failure(StoreError(.internal, .none, "no answer")))
  }
}
