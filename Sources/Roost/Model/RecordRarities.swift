import Observation
import RoostModel

/// What few records have, kept apart so that the others are small and quickly made.
final class RecordRarities {
  @exclusivity(unchecked) var stash: [Int: Value] = [:]
  @exclusivity(unchecked) var toMany: [ToManyState] = []
  @exclusivity(unchecked) var decoded: [Int: Any] = [:]
  @exclusivity(unchecked) var probe: ProbeTrace?
  @exclusivity(unchecked) var registrar: ObservationRegistrar?
  @exclusivity(unchecked) weak var looseShell: (any PersistentModel)?
}

extension ModelRecord {
  /// Saved values that were set again since, for a rollback.
  var stash: [Int: Value] {
    get { rarities?.stash ?? [:] }
    _modify { yield &withRarities().stash }
    set { if rarities != nil || !newValue.isEmpty { withRarities().stash = newValue } }
  }

  /// By position among the to-many slots; empty when none was touched.
  var toMany: [ToManyState] {
    get { rarities?.toMany ?? [] }
    _modify { yield &withRarities().toMany }
    set { if rarities != nil || !newValue.isEmpty { withRarities().toMany = newValue } }
  }

  /// Decoded JSON values by slot.
  var decoded: [Int: Any] {
    get { rarities?.decoded ?? [:] }
    _modify { yield &withRarities().decoded }
    set { if rarities != nil || !newValue.isEmpty { withRarities().decoded = newValue } }
  }

  /// Made by the first read that is tracked.
  var registrar: ObservationRegistrar? { rarities?.registrar }

  /// Set on instances that only find out what a key path reads.
  var probe: ProbeTrace? {
    get { rarities?.probe }
    set { if rarities != nil || newValue != nil { withRarities().probe = newValue } }
  }

  /// The instance around a record that no context holds.
  var looseShell: (any PersistentModel)? {
    get { rarities?.looseShell }
    set { if rarities != nil || newValue != nil { withRarities().looseShell = newValue } }
  }
}
