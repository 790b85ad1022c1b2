import Synchronization

/// How far a server has come in its life; any thread may look.
final class ServerPhase: Sendable {
  enum Step: UInt8, Comparable, AtomicRepresentable {
    case starting
    case serving
    case draining
    case closed

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  private let state = Atomic(Step.starting)

  var step: Step { state.load(ordering: .acquiring) }

  /// Only forward: a server that drains serves no more.
  ///
  /// The server moves it on the main actor alone, so that looking first is enough.
  func move(to next: Step) {
    if next > step { state.store(next, ordering: .releasing) }
  }
}
