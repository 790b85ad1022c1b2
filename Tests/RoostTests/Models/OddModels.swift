import SwiftData

/// Model classes written in every way people write them.
enum OddSchema: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 2, 3)
  static var models: [any PersistentModel.Type] { [Everything.self, Plain.self, Numbered.self] }

  enum Level: Int, Codable {
    case low = 1
    case high = 2
  }

  enum Shape: Codable, Hashable {
    case point
    case circle(radius: Double)
  }

  struct Box: Codable, Hashable {
    var sizes: [Int]
    var name: String?
  }

  @Model
  final class Everything {
    var flag: Bool
    var small: Int8 = -8
    var short: Int16 = -16
    var middle: Int32 = -32
    var wide: Int64 = .min
    var int: Int = .max
    var tiny: UInt8 = 8
    var ushort: UInt16 = 16
    var umiddle: UInt32 = .max
    var uwide: UInt64 = .max
    var uint: UInt = .max
    var float: Float = 1.5
    var double: Double = .infinity
    var decimal: Decimal = Decimal(string: "-12345678901234567890.125") ?? 0
    var text: String = "text"
    var date: Date = Date(timeIntervalSinceReferenceDate: 0.25)
    var data: Data = Data([0, 255])
    var uuid: UUID = UUID()
    var url: URL = URL(fileURLWithPath: "/tmp/a b")
    var level: Level = Level.high
    var shape: Shape = Shape.circle(radius: 2)
    var box: Box = Box(sizes: [3, 1], name: nil)
    var words: [String] = ["b", "a"]
    var numbers: Set<Int> = [3, 1, 2]
    var names: [String: Int] = ["x": 1]
    var optionalFlag: Bool?
    var optionalInt: Int?
    var optionalText: String?
    var optionalDate: Date?
    var optionalLevel: Level?
    var optionalBox: Box?
    var optionalWords: [String]?
    var optionalURL: URL?
    var optionalDecimal: Decimal?
    var optionalUInt: UInt64?

    init(flag: Bool) { self.flag = flag }
  }

  @Model
  class Plain {
    var _order: Int
    var `default`: String = "d"
    var index = 3
    var untyped = [Int]?.some([])
    private(set) var count = 0
    let code: String
    @Attribute(originalName: "old") @Attribute(.spotlight) var value: Int?
    #Unique<Plain>([\.code], [\._order, \.index])
    #Index<Plain>([\.index], [\.count, \.value])

    var doubled: Int { count * 2 }

    required init(code: String, order: Int = 0) {
      self.code = code
      self._order = order
      self.count = count
    }

    func grow() { count += 1 }
  }
}

extension OddSchema {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @Model
  public final class Numbered: Comparable, CustomStringConvertible {
    @Attribute(.unique) public var id: Int
    public var next: Numbered?
    public var previous: Numbered?

    public init(id: Int) { self.id = id }

    public static func < (lhs: Numbered, rhs: Numbered) -> Bool { lhs.id < rhs.id }
    public var description: String { "#\(id)" }
  }
}

typealias Everything = OddSchema.Everything
typealias Plain = OddSchema.Plain
typealias Numbered = OddSchema.Numbered

/// One side required, one to one, many to many, one way.
@Model
final class Owner {
  var name: String
  @Relationship(deleteRule: .nullify, inverse: \Passport.owner) var passport: Passport?
  @Relationship(deleteRule: .deny, inverse: \Pet.owner) var pets: [Pet] = []
  @Relationship(inverse: \Club.members) var clubs: [Club] = []
  var favourite: Pet?
  var visited: [Place] = []

  init(name: String) { self.name = name }
}

@Model
final class Passport {
  var number: Int
  var owner: Owner?

  init(number: Int, owner: Owner? = nil) {
    self.number = number
    self.owner = owner
  }
}

@Model
final class Pet {
  var name: String
  var owner: Owner?

  init(name: String, owner: Owner? = nil) {
    self.name = name
    self.owner = owner
  }
}

@Model
final class Club {
  var name: String
  var members: [Owner] = []

  init(name: String, members: [Owner] = []) {
    self.name = name
    self.members = members
  }
}

@Model
final class Place {
  var name: String
  init(name: String) { self.name = name }
}

/// A to-one that must be there, inverses inferred.
@Model
final class Category {
  @Attribute(.unique) var name: String
  @Relationship(deleteRule: .cascade) var words: [Word] = []
  init(name: String) { self.name = name }
}

@Model
final class Word {
  var text: String
  var category: Category
  init(_ text: String, in category: Category) {
    self.text = text
    self.category = category
  }
}
