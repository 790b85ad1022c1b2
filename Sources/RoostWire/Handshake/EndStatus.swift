package import RoostModel

/// How a stream ended, and its trailers.
///
/// On the wire: nothing at all for a plain OK, else `status u8 | 0 u8 | detail u16 | map`.
package struct EndStatus: Hashable, Sendable {
  package var status: StatusCode
  package var detail: StatusDetail
  /// Keys ascend; `msg` is the message for people.
  package var trailers: [MapEntry]

  package init(
    _ status: StatusCode, _ detail: StatusDetail = .none, trailers: [MapEntry] = []
  ) {
    self.status = status
    self.detail = detail
    self.trailers = trailers
  }

  package static let ok = EndStatus(.ok)

  package init(_ status: StatusCode, _ detail: StatusDetail, _ message: String) {
    self.init(status, detail, trailers: [MapEntry("msg", .text(message))])
  }

  /// Success with trailers, sorted here.
  package init(trailers fields: [(String, Value?)]) {
    self.init(.ok)
    if case .map(let entries) = MapFields.map(fields) { trailers = entries }
  }

  package init(_ error: StoreError) {
    self.init(error.status, error.detail)
    let fields: [(String, Value?)] = [
      ("cause", error.cause.map(Value.text)),
      ("msg", .text(error.message)),
      ("op", error.operation.map { .int(Int64($0)) }),
    ]
    if case .map(let entries) = MapFields.map(fields) { trailers = entries }
  }

  package init(_ error: MessageError) {
    let status: StatusCode =
      switch error.detail {
      case .messageSize, .queue, .streams: .resourceExhausted
      case .missingCapability, .unknownMethod: .unimplemented
      default: .invalidArgument
      }
    self.init(status, error.detail, error.message)
  }

  package var isOK: Bool { status == .ok }
  package var message: String? {
    if case .text(let text)? = MapFields(trailers)["msg"] { text } else { nil }
  }
  package subscript(key: String) -> Value? { MapFields(trailers)[key] }

  /// The error it stands for; nil for OK.
  package var error: StoreError? {
    guard !isOK else { return nil }
    var operation: Int?
    if case .int(let number)? = self["op"] { operation = Int(exactly: number) }
    var cause: String?
    if case .text(let text)? = self["cause"] { cause = text }
    return StoreError(
      status, detail, message ?? "\(status)", operation: operation, cause: cause)
  }

  package func encode(into writer: inout PackedWriter) {
    guard !(isOK && detail == .none && trailers.isEmpty) else { return }
    writer.byte(status.rawValue)
    writer.byte(0)
    writer.fixed(detail.rawValue)
    writer.value(.map(trailers))
  }

  /// A status this side does not know is `unknown`, as gRPC has it.
  package init(_ payload: UnsafeRawBufferPointer) throws(MessageError) {
    self = .ok
    guard !payload.isEmpty else { return }
    do throws(PackedError) {
      var reader = PackedReader(payload)
      status = StatusCode(rawValue: try reader.byte()) ?? .unknown
      guard try reader.byte() == 0 else {
        throw PackedError.unexpectedValue(expected: "0", at: 1)
      }
      detail = StatusDetail(rawValue: try reader.fixed(UInt16.self))
      guard case .map(let entries) = try reader.value() else {
        throw PackedError.unexpectedValue(expected: "a map", at: 4)
      }
      trailers = entries
      try reader.finish()
    } catch {
      throw MessageError(error)
    }
  }
}
