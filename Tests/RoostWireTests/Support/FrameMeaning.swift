import RoostModel
import RoostWire

/// What a frame says, as the vectors write it, read with the code under test.
extension Meaning {
  init(frame: Frame) throws {
    var out: [String: Meaning] = [:]
    guard let type = FrameType(rawValue: frame.header.type) else { throw VectorError("type") }
    out["frame"] = .text(type.word)
    if frame.stream != 0 { out["stream"] = .int(Int64(frame.stream)) }
    let flags = [("END", 1), ("DEFLATE", 2), ("CHECK", 4), ("ACK", 8), ("MORE", 16)].filter {
      frame.flags.rawValue & UInt8($0.1) != 0
    }
    if !flags.isEmpty { out["flags"] = .list(flags.map { .text($0.0) }) }
    var reader = PackedReader(frame.payload)
    switch type {
    case .hello: out["hello"] = Meaning(try reader.value())["map"]
    case .request: try Meaning.request(&reader, frame, &out)
    case .message:
      if frame.flags.contains(.deflate) {
        let bytes = try Compression.inflate(frame.payload, messageBytesMax: 1 << 22)
        out["body"] = try bytes.withUnsafeBytes { try Meaning.body($0) }
      } else {
        out["body"] = try Meaning.body(frame.payload)
      }
    case .end:
      guard !frame.payload.isEmpty else { break }
      let end = try EndStatus(frame.payload)
      out["status"] = .int(Int64(end.status.rawValue))
      out["detail"] = .int(Int64(end.detail.rawValue))
      out["trailers"] = Meaning(.map(end.trailers))["map"]
    case .cancel: out["reason"] = .int(Int64(try reader.byte()))
    case .window: out["credit"] = .int(Int64(try reader.fixed(UInt32.self)))
    case .ping: out["opaque"] = .text([UInt8](frame.payload).hex)
    case .goAway:
      let goAway = try GoAway(frame.payload)
      out["last"] = .int(Int64(goAway.lastStream))
      out["status"] = .int(Int64(goAway.status.rawValue))
      out["phase"] = .int(Int64(goAway.phase.rawValue))
      out["detail"] = .int(Int64(goAway.detail.rawValue))
      out["retry_ms"] = .int(Int64(goAway.retryAfterMilliseconds))
      out["text"] = .text(goAway.text)
    case .notice:
      out["kind"] = .int(Int64(try reader.fixed(UInt16.self)))
      out["value"] = Meaning(try reader.value())
    case .auth: break
    }
    self = .map(out)
  }

  private static func request(
    _ reader: inout PackedReader, _ frame: Frame, _ out: inout [String: Meaning]
  ) throws {
    let head = try RequestHead(from: &reader)
    out["method"] =
      WireMethod(rawValue: head.method).map { .text($0.name) } ?? .int(Int64(head.method))
    if let timeout = head.timeoutMilliseconds { out["timeout"] = .int(Int64(timeout)) }
    if let sequence = head.sequence {
      out["sequence"] = .list([
        .int(Int64(sequence.number)), .int(Int64(sequence.acknowledged)),
      ])
    }
    if let token = head.minToken { out["min_token"] = .int(Int64(token)) }
    if !head.metadata.isEmpty { out["metadata"] = Meaning(.map(head.metadata))["map"] }
    if let credit = head.initialCredit { out["credit"] = .int(Int64(credit)) }
    if head.isBarrier { out["barrier"] = .bool(true) }
    out["body"] = try body(UnsafeRawBufferPointer(rebasing: frame.payload[reader.offset...]))
  }
}

struct VectorError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

extension FrameType {
  var word: String {
    switch self {
    case .hello: "HELLO"
    case .request: "REQUEST"
    case .message: "MESSAGE"
    case .end: "END"
    case .cancel: "CANCEL"
    case .window: "WINDOW"
    case .ping: "PING"
    case .goAway: "GOAWAY"
    case .auth: "AUTH"
    case .notice: "NOTICE"
    }
  }
}

/// Messages by the names the vectors use: read as their type and written again.
enum TypedBody {
  static func rewritten(
    _ name: String, _ body: UnsafeRawBufferPointer
  ) throws(MessageError) -> [UInt8] {
    var writer = PackedWriter()
    switch name {
    case "ClientHello": try ClientHello(body).encode(into: &writer)
    case "ServerHello": try ServerHello(body).encode(into: &writer)
    case "Get": try GetRequest(body).encode(into: &writer)
    case "RowBatch": try RowBatch(message: body).encode(into: &writer)
    case "Fetch": try FetchRequest(body).encode(into: &writer)
    case "FetchMessage": try FetchMessage(body).encode(into: &writer)
    case "Count": try CountRequest.encode(try CountRequest.decode(body), into: &writer)
    case "CountReply":
      CountRequest.encodeReply(try CountRequest.decodeReply(body), into: &writer)
    case "Write": try WriteBatch(body).encode(into: &writer)
    case "WriteResult": try WriteResult(body).encode(into: &writer)
    case "Import": try ImportDescriptor(body).encode(into: &writer)
    case "ImportChunk": try ImportChunk(body).encode(into: &writer)
    case "ImportStarted": ImportStarted.encode(next: try ImportStarted.decode(body), into: &writer)
    case "ImportAcknowledgements":
      for acknowledgement in try ImportAcknowledgement.list(body) {
        acknowledgement.encode(into: &writer)
      }
    case "SchemaRegister": try SchemaRegisterRequest(body).encode(into: &writer)
    case "SchemaRegistration": try SchemaRegistration(body).encode(into: &writer)
    case "Description": try Description(body).encode(into: &writer)
    case "Health": try Health(body).encode(into: &writer)
    case "Statistics": Statistics.encode(try Statistics.decode(body), into: &writer)
    case "StatisticsRequest": try StatisticsRequest(body).encode(into: &writer)
    case "CancelOperation": try CancelOperation(body).encode(into: &writer)
    case "CancelOperationReply":
      CancelOperation.encodeReply(found: try CancelOperation.decodeReply(body), into: &writer)
    default: throw MessageError(.none, "unknown message \(name)")
    }
    return writer.bytes
  }
}
