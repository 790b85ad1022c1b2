import RoostModel

/// Every bound of the wire; what the peer must know of them travels in HELLO.
///
/// Each default stands in `Protocol/limits.tsv` too, and a test compares the two.
package struct WireLimits: Hashable, Sendable {
  /// Payload bytes of one frame.
  package var frameBytesMax = 256 << 10
  /// Bytes of one message after its fragments are joined and inflated.
  package var messageBytesMax = 4 << 20
  /// Message bytes a peer may send on one stream before it gets credit.
  package var streamWindow = 256 << 10
  /// Message bytes a peer may send on all streams together before it gets credit.
  package var connectionWindow = 4 << 20
  /// Open streams of unary methods.
  package var unaryStreamsMax = 256
  /// Open streams of all other methods.
  package var longStreamsMax = 32
  /// Bytes of a reply or message that wait for credit, on all streams together.
  package var queuedBytesMax = 8 << 20
  /// Bytes of requests that wait behind a BARRIER.
  package var heldBytesMax = 4 << 20
  /// Control frames a second, and how many at once after a pause.
  package var controlFramesPerSecond = 1_000
  package var controlFramesBurst = 2_000
  /// Whether this side computes checksums when the peer asks for them.
  package var allowsChecksums = true
  /// Messages of at least so many bytes are deflated; 0 for never.
  package var deflateThreshold = 1_024

  package var handshakeTimeout: UInt64 = 5_000_000_000
  package var frameTimeout: UInt64 = 10_000_000_000
  /// Silence after which a PING is sent, and after which without any byte the peer is dead.
  package var pingAfter: UInt64 = 20_000_000_000
  package var pingTimeout: UInt64 = 15_000_000_000
  /// A connection without streams is closed after this.
  package var idleTimeout: UInt64 = 300_000_000_000
  package var timeoutMillisecondsMax: UInt32 = 300_000
  package var pingMillisecondsMin: UInt32 = 10_000

  package init() {}
}

/// Bounds that no peer can change.
extension WireLimits {
  package static let helloBytesMax = 4_096
  package static let tokenBytesMax = 2_048
  package static let requestBodyMax = 64 << 10
  package static let metadataBytesMax = 8_192
  package static let metadataKeysMax = 64
  package static let goAwayTextMax = 1_024
  package static let streamIDMax: UInt32 = 0x7FFF_FFFF
  package static let creditMax = 0x7FFF_FFFF
  package static let messageBytesCap = 64 << 20
  /// The least a peer may announce; also what a client assumes until the server's HELLO.
  package static let frameBytesMin = 16 << 10
  package static let windowMin = 64 << 10
  package static let inflateRatioMax = 200
  package static let inflateSlack = 64 << 10
  package static let prefetchPathsMax = 64
  package static let pathPropertiesMax = 16
  package static let sortKeysMax = Limits.sortKeysMax
  package static let importErrorsMax = 100
  package static let statisticsEntries = 100
  package static let statisticsEntriesMax = 1_000
  package static let sourceNameBytesMax = 256
  package static let fetchChunkRows = 1_000
  package static let fetchChunkBytes = 64 << 10
  package static let fetchFirstChunkBytes = 16 << 10
  /// Credit a server gives an import stream, so that 32 chunks can be under way.
  package static let importWindow = 4 << 20
}
