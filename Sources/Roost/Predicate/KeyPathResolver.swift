import RoostModel

/// Finds the stored properties a key path goes over.
enum KeyPathResolver {
  /// Slots from the model on, all but the last of them to-ones; nil if it leads elsewhere.
  static func slots(_ keyPath: AnyKeyPath, of model: ModelDescription) -> [Int]? {
    if let slot = model.slot(of: keyPath) { return [slot] }
    return probed(keyPath, model.type)
  }

  /// Applies the key path to an instance that records which properties are read.
  ///
  /// Key paths over optionals cannot be taken apart at run time, but they can be followed.
  private static func probed<Model: PersistentModel>(
    _ keyPath: AnyKeyPath, _ type: Model.Type
  ) -> [Int]? {
    guard let partial = keyPath as? PartialKeyPath<Model> else { return nil }
    let trace = ProbeTrace()
    let record = ModelRecord(type._$description)
    record.probe = trace
    _ = type.init(_$record: record)[keyPath: partial]
    guard trace.isChain, !trace.slots.isEmpty else { return nil }
    return trace.slots
  }
}

/// What a probe instance saw.
final class ProbeTrace {
  private(set) var slots: [Int] = []
  private var last: ModelRecord?
  /// Whether each property was read on the instance the one before gave.
  private(set) var isChain = true

  func note(_ record: ModelRecord, _ slot: Int) {
    if let last, last !== record { isChain = false }
    if last == nil, !slots.isEmpty { isChain = false }
    slots.append(slot)
    last = nil
  }

  func lead(to record: ModelRecord) { last = record }
}
