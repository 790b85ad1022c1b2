public import RoostModel

/// What a server serves and where.
public struct ServerConfiguration: Sendable {
  /// Where the store is.
  public enum Store: Sendable {
    /// A SQLite file, made if it does not exist.
    case file(String)
    /// A private store that ends with the server.
    case memory
    /// A store the program has open already; the server does not close it.
    case engine(any StoreEngine)
  }

  /// What is served.
  public var store: Store
  /// A numeric address or a name.
  public var host: String
  /// 0 takes a free port; ``RoostServer/port`` tells which.
  public var port: UInt16
  /// How far a commit has got when it is acknowledged.
  public var durability: Durability
  /// Registered, additively, before the first connection is taken.
  public var schema: StoreSchema?
  /// Allows an address that other machines can reach, without encryption or tokens.
  public var allowsInsecure: Bool
  /// Where `/metrics`, `/healthz` and `/readyz` are answered; nowhere if nil.
  public var admin: AdminEndpoint?
  /// Its bounds, shown in Describe and Stats.
  public var limits: ServerLimits

  /// A server for one store; everything else has a default that serves this machine only.
  public init(
    store: Store, host: String = "127.0.0.1", port: UInt16 = 7_678, durability: Durability = .full,
    schema: StoreSchema? = nil, allowsInsecure: Bool = false, admin: AdminEndpoint? = nil,
    limits: ServerLimits = ServerLimits()
  ) {
    self.store = store
    self.host = host
    self.port = port
    self.durability = durability
    self.schema = schema
    self.allowsInsecure = allowsInsecure
    self.admin = admin
    self.limits = limits
  }
}
