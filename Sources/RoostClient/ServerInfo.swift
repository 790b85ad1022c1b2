import RoostModel
import RoostWire

/// What a server said of itself when the connection was made.
public struct ServerInfo: Hashable, Sendable {
  /// Name and version of the program.
  public var agent: String
  /// Names the store's file for its life.
  public var storeIdentifier: String
  /// Bytes of one message; longer requests are refused here.
  public var messageBytesMax: Int
  /// Unary calls one connection may have open; more wait in the client.
  public var unaryStreamsMax: Int
  /// Fetches and imports one connection may have open; more wait in the client.
  public var longStreamsMax: Int
  /// The version of the schema when the connection was made.
  public var schemaVersion: UInt32

  init() { self.init(ServerHello()) }

  init(_ hello: ServerHello) {
    agent = hello.agent ?? ""
    storeIdentifier = hello.epoch ?? ""
    messageBytesMax = hello.messageBytesMax
    unaryStreamsMax = hello.unaryStreamsMax
    longStreamsMax = hello.longStreamsMax
    schemaVersion = hello.schemaVersion ?? 0
  }
}
