/// Runs an actor's jobs on a loop's thread, so that an actor can own what hangs on the loop.
package final class EventLoopExecutor: SerialExecutor {
  private let mailbox: Mailbox

  package init(_ mailbox: Mailbox) { self.mailbox = mailbox }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    let isTaken = mailbox.post { _ in job.runSynchronously(on: executor) }
    // A job that is dropped leaves its caller waiting for ever: with the loop gone it runs here.
    if !isTaken { job.runSynchronously(on: executor) }
  }
}
