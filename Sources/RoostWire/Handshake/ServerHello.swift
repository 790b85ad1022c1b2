package import RoostModel

/// The server's answer to a client's HELLO: what it is, what it accepts, what it can do.
package struct ServerHello: Hashable, Sendable {
  package var agent: String?
  package var check = false
  package var connectionWindow = WireLimits().connectionWindow
  package var database: String?
  package var deflate = 0
  /// Names the store's file for its life; another one means that tokens are foreign.
  package var epoch: String?
  package var idleMilliseconds: Int?
  package var longStreamsMax = WireLimits().longStreamsMax
  package var frameBytesMax = WireLimits().frameBytesMax
  package var messageBytesMax = WireLimits().messageBytesMax
  package var methods: [MethodEntry] = WireMethod.allCases.map(MethodEntry.init)
  /// The number of the last commit.
  package var nowToken: UInt64?
  package var pingMillisecondsMin: Int?
  package var schemaVersion: UInt32?
  package var unaryStreamsMax = WireLimits().unaryStreamsMax
  package var timeoutMillisecondsMax: Int?
  package var streamWindow = WireLimits().streamWindow

  package init() {}

  /// What the limits of a server say; the rest is for the caller to fill in.
  package init(limits: WireLimits) {
    connectionWindow = limits.connectionWindow
    deflate = limits.deflateThreshold
    idleMilliseconds = Int(limits.idleTimeout / 1_000_000)
    longStreamsMax = limits.longStreamsMax
    frameBytesMax = limits.frameBytesMax
    messageBytesMax = limits.messageBytesMax
    pingMillisecondsMin = Int(limits.pingMillisecondsMin)
    unaryStreamsMax = limits.unaryStreamsMax
    timeoutMillisecondsMax = Int(limits.timeoutMillisecondsMax)
    streamWindow = limits.streamWindow
  }

  package func encode(into writer: inout PackedWriter) {
    writer.value(
      MapFields.map([
        ("agent", agent.map(Value.text)),
        ("check", check ? .int(2) : nil),
        ("conn_window", .int(Int64(connectionWindow))),
        ("db", database.map(Value.text)),
        ("deflate", deflate > 0 ? .int(Int64(deflate)) : nil),
        ("epoch", epoch.map(Value.text)),
        ("idle_ms", idleMilliseconds.map { .int(Int64($0)) }),
        ("live_max", .int(Int64(longStreamsMax))),
        ("max_frame", .int(Int64(frameBytesMax))),
        ("max_message", .int(Int64(messageBytesMax))),
        ("methods", .list(methods.map(\.value))),
        ("now_token", nowToken.map { .int(Int64(bitPattern: $0)) }),
        ("ping_min_ms", pingMillisecondsMin.map { .int(Int64($0)) }),
        ("schema", schemaVersion.map { .int(Int64($0)) }),
        ("streams_max", .int(Int64(unaryStreamsMax))),
        ("timeout_max_ms", timeoutMillisecondsMax.map { .int(Int64($0)) }),
        ("window", .int(Int64(streamWindow))),
      ]))
  }

  package init(_ payload: UnsafeRawBufferPointer) throws(MessageError) {
    var reader = PackedReader(payload)
    let fields = MapFields(try reader.onlyMap())
    agent = try fields.text("agent")
    database = try fields.text("db")
    epoch = try fields.text("epoch")
    check = try HelloFields.check(fields)
    deflate = try fields.size("deflate") ?? 0
    idleMilliseconds = try fields.size("idle_ms")
    longStreamsMax = try fields.size("live_max") ?? longStreamsMax
    methods = try MethodEntry.list(fields["methods"])
    nowToken = try fields.int("now_token").map(UInt64.init(bitPattern:))
    pingMillisecondsMin = try fields.size("ping_min_ms")
    schemaVersion = try fields.int("schema").flatMap(UInt32.init(exactly:))
    unaryStreamsMax = try fields.size("streams_max") ?? unaryStreamsMax
    timeoutMillisecondsMax = try fields.size("timeout_max_ms")
    try HelloFields.limits(
      fields, frame: &frameBytesMax, message: &messageBytesMax, stream: &streamWindow,
      connection: &connectionWindow)
  }
}

/// One method as a server announces it: `[id, name, shape]`.
package struct MethodEntry: Hashable, Sendable {
  package var id: UInt16
  package var name: String
  /// Raw, since a newer server may have other shapes.
  package var shape: UInt8

  package init(id: UInt16, name: String, shape: UInt8) {
    self.id = id
    self.name = name
    self.shape = shape
  }

  package init(_ method: WireMethod) {
    self.init(id: method.rawValue, name: method.name, shape: method.shape.rawValue)
  }

  package var value: Value { .list([.int(Int64(id)), .text(name), .int(Int64(shape))]) }

  package static func list(_ value: Value?) throws(MessageError) -> [MethodEntry] {
    guard let value else { return [] }
    guard case .list(let items) = value else {
      throw MessageError(.badValue, "methods is not a list")
    }
    var methods: [MethodEntry] = []
    for item in items {
      guard case .list(let parts) = item, parts.count >= 3, case .int(let id) = parts[0],
        case .text(let name) = parts[1], case .int(let shape) = parts[2],
        let number = UInt16(exactly: id), let shapeNumber = UInt8(exactly: shape)
      else { throw MessageError(.badValue, "a method is not [id, name, shape]") }
      methods.append(MethodEntry(id: number, name: name, shape: shapeNumber))
    }
    return methods
  }
}
