/// Keeps a Swift closure where C can point to it.
final class CallbackBox<Body> {
  let body: Body

  init(_ body: Body) { self.body = body }

  /// Valid while somebody holds the box.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// A pointer that holds the box itself, until ``release(_:)``.
  var retainedPointer: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func from(_ pointer: UnsafeMutableRawPointer) -> CallbackBox {
    Unmanaged<CallbackBox>.fromOpaque(pointer).takeUnretainedValue()
  }

  static func release(_ pointer: UnsafeMutableRawPointer) {
    Unmanaged<CallbackBox>.fromOpaque(pointer).release()
  }
}
