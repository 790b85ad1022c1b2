import CObservation
import Observation

/// Finds out whether this thread runs inside `withObservationTracking`.
///
/// A registrar notes accesses made there and no others, but only the runtime knows when that is,
/// and making a registrar for each object that is read costs more than the read. So each thread
/// has one in reserve, which is asked instead: to note an access it puts the key path into a set,
/// which hashes the key path's argument, which leaves a mark on the thread.
///
/// A registrar that has noted an access keeps what it is to call until it is called or the
/// registrar goes. So the object that is read takes the registrar over, and the thread makes
/// another: one for all would keep the observers of objects that are long gone.
final class ObservationProbe: Observable, Sendable {
  /// The argument whose hashing tells.
  private struct Telltale: Hashable, Sendable {
    func hash(into hasher: inout Hasher) { cobservation_mark() }
  }

  private subscript(telltale: Telltale) -> Bool { false }

  private static let keyPath = \ObservationProbe[Telltale()]
  private let registrar = ObservationRegistrar()

  private var isNoticed: Bool {
    // The set may have grown since, and hashed the argument again.
    _ = cobservation_take_mark()
    registrar.access(self, keyPath: ObservationProbe.keyPath)
    return cobservation_take_mark()
  }

  /// False with a runtime that notes accesses in another way: then every read counts.
  private static let isReliable: Bool = {
    let probe = ObservationProbe()
    var isNoticed = false
    withObservationTracking {
      isNoticed = probe.isNoticed
    } onChange: {
    }
    return isNoticed
  }()

  /// Whether reads are being tracked on this thread.
  ///
  /// Where they are, ``takeRegistrar()`` must follow.
  static var isTracking: Bool {
    guard let spare = cobservation_spare() else { return isTrackingWithNewSpare }
    return Unmanaged<ObservationProbe>.fromOpaque(spare)._withUnsafeGuaranteedRef { $0.isNoticed }
  }

  private static var isTrackingWithNewSpare: Bool {
    guard isReliable else { return true }
    let probe = ObservationProbe()
    keep(probe)
    return probe.isNoticed
  }

  /// The registrar that has noticed the tracking, for the object that is read; the thread keeps it
  /// no longer. nil when reads are not being tracked.
  static func takeRegistrar() -> ObservationRegistrar? {
    guard isTracking else { return nil }
    guard let spare = cobservation_spare() else { return ObservationRegistrar() }
    let probe = Unmanaged<ObservationProbe>.fromOpaque(spare)
    defer {
      keep(nil)
      probe.release()
    }
    return probe.takeUnretainedValue().registrar
  }

  private static func keep(_ probe: ObservationProbe?) {
    cobservation_set_spare(probe.map { Unmanaged.passRetained($0).toOpaque() }) { held in
      if let held { Unmanaged<ObservationProbe>.fromOpaque(held).release() }
    }
  }
}
