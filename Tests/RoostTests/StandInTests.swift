import RoostModel
import RoostStorage
import Testing

@testable import Roost

/// Values a store may hold although the type that reads them takes none of them.
@Suite struct StandInTests {
  enum Word: String, Codable, Hashable {
    case first
    case second
  }
  enum Figure: Codable, Hashable {
    case circle(radius: Double, name: String)
    case point
  }
  struct Place: Codable, Hashable {
    var latitude: Double
    var name: String
    var word: Word
    var lists: [String: [Int]]
    var parent: Parent?
    struct Parent: Codable, Hashable { var number: UInt8 }
  }
  struct Pair: Codable, Hashable {
    var one: Int
    var two: Int
    static let usual = Pair(one: 1, two: 2)
  }

  @Model final class Held {
    var number: Int
    var word: Word
    var figure: Figure
    var place: Place
    var pair: Pair = Pair.usual
    init(_ number: Int, _ word: Word, _ figure: Figure, _ place: Place) {
      self.number = number
      self.word = word
      self.figure = figure
      self.place = place
    }
  }

  @Model final class Keeper {
    var held: Held
    init(_ held: Held) { self.held = held }
  }

  static let place = Place(
    latitude: 1, name: "n", word: .second, lists: ["a": [1]], parent: Place.Parent(number: 7))

  /// Puts what is none of the types' values under a saved instance.
  private func spoil(_ path: String, _ values: [(String, Value)]) throws {
    let store = try SQLiteStore.open(.file(path))
    defer { store.close() }
    let entity = try #require(store.schema.entity(named: "Held"))
    let assignments = try values.map { name, value in
      Assignment(try #require(entity.property(named: name)?.id), value)
    }
    _ = try store.write(
      WriteBatch(
        operations: [.update(entity.id, .row(1), assignments, ifRevision: nil)],
        schemaVersion: store.schema.version))
  }

  private func container(_ path: String) throws -> ModelContainer {
    try ModelContainer(
      for: Held.self, Keeper.self,
      configurations: ModelConfiguration(url: URL(fileURLWithPath: path)))
  }

  @Test func whatIsNoValueOfTheTypeReadsAsSomethingThatIs() throws {
    try withTemporaryFolder { folder in
      let path = folder.path + "/store"
      do {
        let context = ModelContext(try container(path))
        context.insert(Held(1, .second, .point, Self.place))
        try context.save()
      }
      try spoil(
        path,
        [
          ("word", .text("none")), ("figure", .text("[7]")), ("place", .text("{\"name\":3}")),
          ("pair", .text("true")),
        ])
      let found = try #require(try ModelContext(try container(path)).all(Held.self).first)
      #expect(found.number == 1)
      #expect(found.word == .first)
      #expect(found.figure == .circle(radius: 0, name: ""))
      #expect(found.place == Place(latitude: 0, name: "", word: .first, lists: [:], parent: nil))
      #expect(found.pair == .usual)
    }
  }

  /// A required to-one whose target is gone gives an empty instance, whose values must be readable.
  @Test func anEmptyInstanceIsReadable() throws {
    let context = ModelContext(
      try ModelContainer(
        for: Held.self, Keeper.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
    let keeper = Keeper(Held(1, .second, .point, Self.place))
    context.insert(keeper)
    try context.save()
    context.delete(keeper.held)
    #expect(keeper.held.place.name.isEmpty && keeper.held.word == .first)
    #expect(keeper.held.figure == .circle(radius: 0, name: ""))
    #expect(keeper.held.pair == .usual)
    let none = try PersistentIdentifier.identifier(
      for: context.container.core.engine.storeIdentifier, entityName: "Held", primaryKey: 99)
    let empty = try #require(context.model(for: none) as? Held)
    #expect(empty.place.lists.isEmpty)
  }

  struct Even: Codable {
    let number: Int
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
    }
    init(_ number: Int) { self.number = number }
  }

  @Model final class Refused {
    var even: Even
    init(_ even: Even) { self.even = even }
  }

  /// A type that takes nothing which could be made up is refused where an error can be thrown.
  @Test func aTypeThatOffersNothingIsRefusedByTheContainer() throws {
    do {
      _ = try ModelContainer(
        for: Refused.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      Issue.record("the container was made")
    } catch let error as SwiftDataError {
      #expect(error == .unknownSchema)
      #expect(error.message.contains("Refused.even"))
      #expect(error.message.contains("or make it optional"))
    }
  }
}
