public import Foundation
public import RoostModel

/// Where a container keeps its rows and how safe they are there.
public struct ModelConfiguration: Identifiable, Hashable, Sendable {
  /// Accepted for source compatibility; there is no cloud here.
  public struct CloudKitDatabase: Hashable, Sendable {
    let name: String?
    /// None.
    public static let automatic = CloudKitDatabase(name: nil)
    /// None.
    public static let none = CloudKitDatabase(name: nil)
    /// None.
    public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
      CloudKitDatabase(name: privateDBName)
    }
  }

  /// Accepted for source compatibility; there are no app groups here.
  public struct GroupContainer: Hashable, Sendable {
    let name: String?
    /// None.
    public static let automatic = GroupContainer(name: nil)
    /// None.
    public static let none = GroupContainer(name: nil)
    /// None.
    public static func identifier(_ groupName: String) -> GroupContainer {
      GroupContainer(name: groupName)
    }
  }

  /// The store's file.
  public let url: URL
  /// The configuration's name, which names the file unless a URL does.
  public let name: String
  /// The classes kept here; nil for all of the container's.
  public var schema: Schema?
  /// Whether contexts may save.
  public let allowsSave: Bool
  /// Whether everything is gone when the container is.
  public let isStoredInMemoryOnly: Bool
  /// How far a commit has got when a save returns.
  public var durability: Durability = .full

  /// The file.
  public var id: URL { url }

  /// A store in the program's own folder, or in memory.
  public init(isStoredInMemoryOnly: Bool = false) {
    self.init(nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A store for these classes in the program's own folder, or in memory.
  public init(for forTypes: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
    self.init(nil, schema: Schema(forTypes), isStoredInMemoryOnly: isStoredInMemoryOnly)
  }

  /// A named store in the program's own folder, or in memory.
  public init(
    _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
    allowsSave: Bool = true, groupContainer: GroupContainer = .automatic,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? "default"
    self.schema = schema
    self.allowsSave = allowsSave
    self.isStoredInMemoryOnly = isStoredInMemoryOnly
    url =
      isStoredInMemoryOnly
      ? URL(fileURLWithPath: "/dev/null")
      : ModelConfiguration.folder.appendingPathComponent(self.name + ".store")
  }

  /// A store in a file.
  public init(
    _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
    cloudKitDatabase: CloudKitDatabase = .automatic
  ) {
    self.name = name ?? url.deletingPathExtension().lastPathComponent
    self.schema = schema
    self.allowsSave = allowsSave
    isStoredInMemoryOnly = false
    self.url = url
  }

  /// The program's own folder, so that two programs never share a default store.
  private static var folder: URL {
    let environment = ProcessInfo.processInfo.environment
    let data =
      environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
      .appendingPathComponent(".local/share", isDirectory: true)
    return data.appendingPathComponent(
      ProcessInfo.processInfo.processName, isDirectory: true)
  }

  /// Checks the name.
  ///
  /// - Throws: ``SwiftDataError`` when it cannot be a file's name.
  public func validate() throws {
    if name.isEmpty || name.contains("/") || name.contains("\0") {
      throw SwiftDataError.configurationFileNameContainsInvalidCharacters.because(
        "a configuration's name must not be empty nor contain '/'")
    }
    if name.utf8.count > 200 {
      throw SwiftDataError.configurationFileNameTooLong.because(
        "a configuration's name has at most 200 bytes")
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ModelConfiguration: CustomDebugStringConvertible {
  public var debugDescription: String {
    isStoredInMemoryOnly ? "\(name) in memory" : "\(name) at \(url.path)"
  }
}
