import CObservation
import Observation

/// Finds out whether this thread runs inside `withObservationTracking`.
///
/// A registrar notes accesses made there and no others, but only the runtime knows when that is,
/// and making a registrar for each object that is read costs more than the read. One registrar
/// that all share is asked instead: to note an access it puts the key path into a set, which
/// hashes the key path's argument, which leaves a mark on the thread.
final class ObservationProbe: Observable, Sendable {
  /// The argument whose hashing tells.
  private struct Telltale: Hashable, Sendable {
    func hash(into hasher: inout Hasher) { cobservation_mark() }
  }

  private subscript(telltale: Telltale) -> Bool { false }

  private let registrar = ObservationRegistrar()
  private let keyPath = \ObservationProbe[Telltale()]

  /// nil with a runtime that notes accesses in another way: then every read counts.
  private static let shared: ObservationProbe? = {
    let probe = ObservationProbe()
    var isNoticed = false
    withObservationTracking {
      isNoticed = probe.isNoticed
    } onChange: {
    }
    return isNoticed ? probe : nil
  }()

  private var isNoticed: Bool {
    // The set may have grown since, and hashed the argument again.
    _ = cobservation_take_mark()
    registrar.access(self, keyPath: keyPath)
    return cobservation_take_mark()
  }

  /// Whether reads are being tracked on this thread.
  static var isTracking: Bool { shared?.isNoticed ?? true }
}
