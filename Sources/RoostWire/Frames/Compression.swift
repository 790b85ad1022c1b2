import CZlib
import RoostModel

/// DEFLATE of whole messages: `inflated size u32 | zlib stream`, no context between messages.
package enum Compression {
  /// The deflated form, or nil when it would not be an eighth smaller.
  package static func deflate(_ message: UnsafeRawBufferPointer) -> [UInt8]? {
    guard message.count >= 16, let size = UInt32(exactly: message.count) else { return nil }
    let room = message.count - message.count / 8 - 4
    let source = message.bindMemory(to: UInt8.self)
    let bytes = [UInt8](unsafeUninitializedCapacity: 4 + room) { target, initialized in
      var length = uLongf(room)
      let status = compress2(
        target.baseAddress.map { $0 + 4 }, &length, source.baseAddress, uLong(message.count), 1)
      guard status == Z_OK else { return }
      for index in 0..<4 { target[index] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(index))) }
      initialized = 4 + Int(length)
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Inflates into exactly the declared size, which is judged before a byte is reserved.
  package static func inflate(
    _ payload: UnsafeRawBufferPointer, messageBytesMax: Int
  ) throws(MessageError) -> [UInt8] {
    guard payload.count > 4 else { throw MessageError(.badInflate, "a deflated message is empty") }
    let declared = Int(UInt32(littleEndian: payload.loadUnaligned(as: UInt32.self)))
    guard declared <= messageBytesMax else {
      throw MessageError(
        .messageSize, "a message of \(declared) bytes is over max_message \(messageBytesMax)")
    }
    let ceiling = payload.count * WireLimits.inflateRatioMax + WireLimits.inflateSlack
    guard declared > 0, declared <= ceiling else {
      throw MessageError(.badInflate, "\(declared) bytes cannot come from \(payload.count)")
    }
    let source = UnsafeRawBufferPointer(rebasing: payload[4...]).bindMemory(to: UInt8.self)
    var isExact = false
    let bytes = [UInt8](unsafeUninitializedCapacity: declared) { target, initialized in
      var length = uLongf(declared)
      var taken = uLong(source.count)
      let status = uncompress2(target.baseAddress, &length, source.baseAddress, &taken)
      initialized = status == Z_OK ? Int(length) : 0
      isExact = status == Z_OK && Int(length) == declared && Int(taken) == source.count
    }
    guard isExact else { throw MessageError(.badInflate, "a deflated message is not as declared") }
    return bytes
  }
}
