/// What the kernel reports of a descriptor.
struct Readiness: OptionSet {
  let rawValue: UInt32
  static let readable = Readiness(rawValue: 1)
  static let writable = Readiness(rawValue: 2)
  /// Both directions are over, or the descriptor failed.
  static let hungUp = Readiness(rawValue: 4)
}

/// Something with a descriptor that a loop watches.
protocol Pollable: AnyObject {
  var descriptor: Int32 { get }
  func ready(_ readiness: Readiness)
}
