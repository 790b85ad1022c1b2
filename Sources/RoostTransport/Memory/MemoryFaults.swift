/// What an in-memory connection does to the bytes on their way.
package struct MemoryFaults: Sendable {
  /// Bytes of one delivery at most, so that frames arrive in pieces.
  package var pieceBytes = Int.max
  /// How long a piece is on its way, by the loop's clock.
  package var delay = Duration.zero
  /// After so many bytes from the peer the connection is cut.
  package var cutAfterBytes = Int.max

  package init(
    pieceBytes: Int = .max, delay: Duration = .zero, cutAfterBytes: Int = .max
  ) {
    self.pieceBytes = max(1, pieceBytes)
    self.delay = delay
    self.cutAfterBytes = cutAfterBytes
  }
}
