extension [UInt8] {
  /// Lends the bytes for one call, with the call's own type of error.
  func lend<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try span.bytes.withUnsafeBytes(body)
  }
}
