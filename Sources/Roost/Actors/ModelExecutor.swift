import Dispatch

/// An executor with a context that its jobs may use.
public protocol ModelExecutor: Executor {
  /// The context of the jobs.
  var modelContext: ModelContext { get }
}

/// A model executor that runs one job at a time.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs jobs on a queue of its own, never on the thread that made it and never on the
/// cooperative pool: a blocking save stops nobody else.
public final class DefaultSerialModelExecutor: SerialModelExecutor {
  // Used by this executor's jobs only, which run one at a time.
  /// The context of the jobs.
  public nonisolated(unsafe) let modelContext: ModelContext
  private let queue = DispatchQueue(label: "roost.model-actor")

  /// Makes an executor for a context that nobody else uses.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    modelContext.turn.kind = .job
  }

  /// Puts a job into the queue.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    // Keeps the executor, and with it the context, alive until the job has run.
    queue.async { [self] in
      modelContext.turn.begin()
      job.runSynchronously(on: executor)
    }
  }

  /// The executor as the runtime refers to it.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}

/// An actor with a context of its own; ``ModelActor()`` writes what it asks for.
///
/// Models stay inside; pass identifiers and values out. Its context does not save by itself.
public protocol ModelActor: Actor {
  /// The store.
  nonisolated var modelContainer: ModelContainer { get }
  /// Where the actor's jobs run, with its context.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
  /// The executor's queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    if let executor = modelExecutor as? any SerialModelExecutor {
      return executor.asUnownedSerialExecutor()
    }
    return ModelActorFallback.executor.asUnownedSerialExecutor()
  }

  /// The actor's context.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The instance of an identifier; nil if there is no such row or it is of another class.
  public subscript<T: PersistentModel>(id: PersistentIdentifier, as as: T.Type) -> T? {
    modelContext.refresh()
    return modelContext.record(id, loads: true).flatMap { modelContext.graph.shell($0) as? T }
  }
}

/// Where actors run whose executor is not serial, which the runtime could not use.
private enum ModelActorFallback {
  final class Queue: SerialExecutor {
    private let queue = DispatchQueue(label: "roost.model-actors")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedSerialExecutor()
      queue.async { job.runSynchronously(on: executor) }
    }
  }

  static let executor = Queue()
}
