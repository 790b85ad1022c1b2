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
    guard trace.isChain, isPath(trace.slots, keyPath, type._$description) else { return nil }
    return trace.slots
  }

  /// Whether the key path is made of just these properties: a computed one reads some, too.
  ///
  /// A key path prints each component, accessors by their address, so the parts must make up the
  /// whole.
  private static func isPath(
    _ slots: [Int], _ keyPath: AnyKeyPath, _ model: ModelDescription
  ) -> Bool {
    var model = model
    var text = ""
    for (position, slot) in slots.enumerated() {
      let property = model.properties[slot]
      text += component(property.keyPath)
      guard position < slots.count - 1 else { break }
      if property.isOptional { text += "?" }
      guard let next = property.destination else { return false }
      model = next
    }
    // An optional chain ends by wrapping its value, which prints as one more "?".
    let whole = component(keyPath)
    return !slots.isEmpty && (whole == text || whole == text + "?")
  }

  /// What a key path prints behind its root type: from the first dot that follows the type's name.
  private static func component(_ keyPath: AnyKeyPath) -> String {
    let root = "\\" + String(describing: type(of: keyPath).rootType)
    let text = String(describing: keyPath)
    return text.hasPrefix(root) ? String(text.dropFirst(root.count)) : text
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
