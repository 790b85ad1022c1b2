import Glibc

/// Turns what a system call returned into a value or an error.
enum SystemCall {
  /// Repeats a call that a signal interrupted.
  static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  @discardableResult
  static func check(_ result: Int32, _ name: String) throws(TransportError) -> Int32 {
    guard result < 0 else { return result }
    throw failure(name, errno)
  }

  static func failure(_ name: String, _ number: Int32) -> TransportError {
    let code: TransportError.Code =
      switch number {
      case EADDRINUSE: .addressInUse
      case ECONNREFUSED: .refused
      case EACCES, EPERM: .permission
      case EMFILE, ENFILE: .descriptors
      default: .system
      }
    return TransportError(code, "\(name): \(text(of: number))", errorNumber: number)
  }

  static func text(of number: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
