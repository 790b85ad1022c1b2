import RoostModel

/// How one connection is made and kept alive.
public struct ConnectionOptions: Hashable, Sendable {
  /// How long a host may take to answer.
  public var connectTimeout = Duration.seconds(10)
  /// How long the server may take for its HELLO.
  public var helloTimeout = Duration.seconds(5)
  /// After so long without a byte from the server it is asked for one by a PING.
  public var pingAfter = Duration.seconds(20)
  /// A server that stays silent for so long after a PING is dead: every call ends.
  public var pingTimeout = Duration.seconds(15)
  /// What the server's log calls this client.
  public var agent = "roost-client/1"

  /// The defaults.
  public init() {}
}

/// How a client makes its calls.
public struct ClientOptions: Hashable, Sendable {
  /// How its connections are made.
  public var connection = ConnectionOptions()
  /// The deadline of a call that names none.
  public var timeout = Duration.seconds(30)
  /// Try for so long to connect at first; zero for one try.
  public var waitForServer = Duration.zero
  /// How long an import waits for a server that is gone before it ends with the reason.
  public var importPatience = Duration.seconds(120)

  /// The defaults.
  public init() {}
}
