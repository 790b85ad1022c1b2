import RoostModel

/// The eight bytes each side sends before its first frame.
///
/// Client: `9F 52 53 54 | highest | lowest | 0 | 0`; server: `9F 52 53 54 | chosen | highest |
/// lowest | 0`, where a chosen 0 means that no version is spoken by both.
package enum Preface {
  package static let byteCount = 8
  package static let magic: [UInt8] = [0x9F, 0x52, 0x53, 0x54]
  package static let versionMax: UInt8 = 1
  package static let versionMin: UInt8 = 1

  package static let client: [UInt8] = magic + [versionMax, versionMin, 0, 0]

  package static func server(chosen: UInt8) -> [UInt8] {
    magic + [chosen, versionMax, versionMin, 0]
  }

  /// What the first bytes of a connection are.
  package enum Verdict: Hashable, Sendable {
    case incomplete
    case version(UInt8)
    /// Ours, but no version in common: answer with ``server(chosen:)`` of 0 and close.
    case noCommonVersion
    /// An HTTP request: answer 400 and close.
    case http
    /// TLS or noise: close without a word.
    case foreign
  }

  /// Judges as soon as the bytes allow it, byte by byte.
  package static func judge(client bytes: UnsafeRawBufferPointer) -> Verdict {
    guard let first = bytes.first else { return .incomplete }
    if first == 0x47 || first == 0x50 { return .http }
    for (byte, expected) in zip(bytes, magic) where byte != expected { return .foreign }
    guard bytes.count >= byteCount else { return .incomplete }
    let highest = bytes[4]
    let lowest = bytes[5]
    guard bytes[6] == 0, bytes[7] == 0, lowest <= highest, lowest > 0 else { return .foreign }
    let chosen = min(highest, versionMax)
    return chosen >= max(lowest, versionMin) ? .version(chosen) : .noCommonVersion
  }

  /// The version a server chose; nil while incomplete.
  package static func judge(
    server bytes: UnsafeRawBufferPointer
  ) throws(WireError) -> UInt8? {
    for (byte, expected) in zip(bytes, magic) where byte != expected {
      throw .violation("the peer does not speak this protocol")
    }
    guard bytes.count >= byteCount else { return nil }
    guard bytes[4] != 0 else {
      throw WireError(
        .unimplemented, .missingCapability,
        "the server speaks versions \(bytes[6]) to \(bytes[5]), this client \(versionMax)")
    }
    guard bytes[4] <= versionMax, bytes[4] >= versionMin, bytes[7] == 0 else {
      throw .violation("the server chose a version that was not offered")
    }
    return bytes[4]
  }
}
