package import FoundationEssentials
package import RoostModel

/// What a client says of itself and of what it accepts, once, in its first frame.
package struct ClientHello: Hashable, Sendable {
  /// Name and version of the program, for logs and stats.
  package var agent: String?
  /// Whether CRC-32 checksums are asked for (`check` = 2).
  package var check = false
  /// Message bytes all streams together may send before credit comes back.
  package var connectionWindow = WireLimits().connectionWindow
  /// The store's name, if the client insists on one.
  package var database: String?
  /// The threshold for deflated messages; 0 for none.
  package var deflate = 0
  package var frameBytesMax = WireLimits().frameBytesMax
  package var messageBytesMax = WireLimits().messageBytesMax
  package var session: UUID?
  package var token: String?
  package var streamWindow = WireLimits().streamWindow

  package init() {}

  package func encode(into writer: inout PackedWriter) {
    writer.value(
      MapFields.map([
        ("agent", agent.map(Value.text)),
        ("check", check ? .int(2) : nil),
        ("conn_window", .int(Int64(connectionWindow))),
        ("db", database.map(Value.text)),
        ("deflate", deflate > 0 ? .int(Int64(deflate)) : nil),
        ("max_frame", .int(Int64(frameBytesMax))),
        ("max_message", .int(Int64(messageBytesMax))),
        ("session", session.map(Value.uuid)),
        ("token", token.map(Value.text)),
        ("window", .int(Int64(streamWindow))),
      ]))
  }

  /// Unknown keys are ignored; missing ones have the defaults.
  package init(_ payload: UnsafeRawBufferPointer) throws(MessageError) {
    var reader = PackedReader(payload)
    let fields = MapFields(try reader.onlyMap())
    agent = try fields.text("agent")
    database = try fields.text("db")
    token = try fields.text("token")
    if let token, token.utf8.count > WireLimits.tokenBytesMax {
      throw MessageError(.badValue, "token is over \(WireLimits.tokenBytesMax) bytes")
    }
    check = try HelloFields.check(fields)
    deflate = try fields.size("deflate") ?? 0
    if case .uuid(let id)? = fields["session"] { session = id }
    try HelloFields.limits(
      fields, frame: &frameBytesMax, message: &messageBytesMax, stream: &streamWindow,
      connection: &connectionWindow)
  }
}

/// What both HELLO maps have in common.
enum HelloFields {
  static func check(_ fields: MapFields) throws(MessageError) -> Bool {
    switch try fields.size("check") ?? 0 {
    case 0: false
    case 2: true
    default: throw MessageError(.badValue, "check is neither 0 nor 2")
    }
  }

  static func limits(
    _ fields: MapFields, frame: inout Int, message: inout Int, stream: inout Int,
    connection: inout Int
  ) throws(MessageError) {
    frame = try fields.size("max_frame") ?? frame
    message = try fields.size("max_message") ?? message
    stream = try fields.size("window") ?? stream
    connection = try fields.size("conn_window") ?? connection
    guard frame >= WireLimits.frameBytesMin, message >= WireLimits.frameBytesMin else {
      throw MessageError(
        .badValue, "max_frame and max_message are at least \(WireLimits.frameBytesMin)")
    }
    guard stream >= WireLimits.windowMin, connection >= WireLimits.windowMin else {
      throw MessageError(.badValue, "window and conn_window are at least \(WireLimits.windowMin)")
    }
  }
}
