import Glibc
import Synchronization

/// When reading a property may bring in what other contexts committed.
///
/// Calls of the context always do. A property read does at the start of a turn only: within one
/// turn of the main actor or one job of a model actor, values stay what they were, so that
/// `if x.date != nil { use(x.date!) }` holds. A save made by the same turn shows at once. Contexts
/// without turns follow at every read.
final class ContextTurn {
  enum Kind {
    /// No turns are known.
    case plain
    /// A turn of the main actor.
    case mainActor
    /// A job of a model actor.
    case job
  }

  weak var context: ModelContext?
  var kind = Kind.plain
  private let store: ContextStore
  private var isOpen = false
  private var seenSaves = 0

  init(_ store: ContextStore) { self.store = store }

  /// A new job starts.
  func begin() { isOpen = false }

  /// The context was called: what comes until the turn's end belongs together.
  func open() {
    guard !isOpen, kind != .plain, let context else { return }
    isOpen = true
    guard kind == .mainActor else { return }
    let core = context.core
    seenSaves = core.turnThread.start()
    Task { @MainActor [weak core] in core?.mainContext?.turn.begin() }
  }

  func follow() {
    guard store.hasNews, let context else { return }
    if isOpen, context.core.turnThread.saves == seenSaves { return }
    seenSaves = context.core.turnThread.saves
    context.refresh()
  }
}

/// Counts the saves made on the thread that runs the main context's current turn.
final class TurnThread: Sendable {
  private let thread = Atomic<UInt>(0)
  private let count = Atomic<Int>(0)

  var saves: Int { count.load(ordering: .acquiring) }

  private static var current: UInt { UInt(pthread_self()) }

  func start() -> Int {
    thread.store(TurnThread.current, ordering: .releasing)
    return saves
  }

  func noteCommit() {
    guard thread.load(ordering: .acquiring) == TurnThread.current else { return }
    count.add(1, ordering: .releasing)
  }
}
