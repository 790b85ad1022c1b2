public import RoostModel
import RoostWire

/// The calls that are streams. They have no deadline unless one is given.
extension RoostClient {
  /// The rows of a query, streamed with back-pressure; the query starts with the first `next()`.
  ///
  /// - Parameters:
  ///   - query: Which rows; related rows of its prefetch paths are not given here.
  ///   - timeout: When the whole stream must be over; nil for never.
  /// - Returns: A sequence to iterate once. Leaving its loop stops the query.
  public func fetch(_ query: Query, timeout: Duration? = nil) -> RowStream {
    RowStream(handle: messages(query, timeout))
  }

  /// Like ``fetch(_:timeout:)`` with the related rows and links of the prefetch paths.
  package func fetchMessages(_ query: Query, timeout: Duration? = nil) -> FetchMessageStream {
    FetchMessageStream(handle: messages(query, timeout))
  }

  private func messages(_ query: Query, _ timeout: Duration?) -> RowStreamHandle {
    let core = RowStreamCore(loop)
    do throws(ClientError) {
      let body = try MethodCodec.request { writer throws(MessageError) in
        try FetchRequest(query).encode(into: &writer)
      }
      let deadline = timeout.map { LoopInstant.now.advanced(by: $0) } ?? .never
      let call = SessionCall(
        .fetch, .repeatable, body: body, deadline: deadline, shape: .stream(core))
      core.prepare(
        start: { [self] in
          onLoop(otherwise: { core.abandon(.closed) }) { $0.start(call) }
        },
        cancel: { [session, loop] in loop.execute { _ in session.cancel(call) } })
    } catch {
      core.abandon(error)
    }
    return RowStreamHandle(core)
  }

  /// Opens an import; see ``ImportWriter``.
  ///
  /// - Parameters:
  ///   - descriptor: Its id names the import for good: a second one with the same id goes on
  ///     where the first stopped, and takes no chunk twice.
  ///   - timeout: When the whole import must be over; nil for never.
  ///   - onReport: Runs for each chunk that was judged, on the client's own thread: it must not
  ///     block.
  /// - Returns: What takes the rows.
  public func openImport(
    _ descriptor: ImportDescriptor, timeout: Duration? = nil,
    onReport: (@Sendable (ImportReport) -> Void)? = nil
  ) -> ImportWriter {
    var writer = PackedWriter()
    descriptor.encode(into: &writer)
    let deadline = timeout.map { LoopInstant.now.advanced(by: $0) } ?? .never
    let result = ImportWriter(self, onReport: onReport)
    result.start(openingBody: writer.bytes, deadline: deadline)
    return result
  }

  /// Imports all batches of a sequence, waiting for the server where it is slower.
  ///
  /// - Returns: The final counts.
  /// - Throws: What the sequence throws, or ``ClientError``; rows acknowledged before stay.
  public func importRows<Batches: AsyncSequence>(
    _ descriptor: ImportDescriptor, _ batches: Batches,
    onReport: (@Sendable (ImportReport) -> Void)? = nil
  ) async throws -> ImportProgress where Batches.Element == RowBatch {
    let writer = openImport(descriptor, onReport: onReport)
    do {
      for try await batch in batches { try await writer.send(batch) }
      return try await writer.finish()
    } catch {
      writer.abort()
      throw error
    }
  }
}
