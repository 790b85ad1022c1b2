import SwiftData
import Testing

@Suite struct ModelClassTests {
  @Test func everyTypeComesBackAsItWas() throws {
    let context = try Make.odd()
    let saved = Everything(flag: true)
    context.insert(saved)
    let uuid = saved.uuid
    try context.save()
    let other = ModelContext(context.container)
    let found = try #require(try other.all(Everything.self).first)
    #expect(found !== saved)
    #expect(found.flag)
    #expect(found.small == -8 && found.short == -16 && found.middle == -32)
    #expect(found.wide == .min && found.int == .max)
    #expect(found.tiny == 8 && found.ushort == 16 && found.umiddle == .max)
    #expect(found.uwide == .max && found.uint == .max)
    #expect(found.float == 1.5 && found.double == .infinity)
    #expect(found.decimal == Decimal(string: "-12345678901234567890.125"))
    #expect(found.text == "text" && found.date.timeIntervalSinceReferenceDate == 0.25)
    #expect(found.data == Data([0, 255]) && found.uuid == uuid)
    #expect(found.url.path == "/tmp/a b")
    #expect(found.level == .high && found.shape == .circle(radius: 2))
    #expect(found.box == OddSchema.Box(sizes: [3, 1], name: nil))
    #expect(found.words == ["b", "a"] && found.numbers == [1, 2, 3] && found.names == ["x": 1])
    #expect(found.optionalFlag == nil && found.optionalInt == nil && found.optionalText == nil)
    #expect(found.optionalDate == nil && found.optionalLevel == nil && found.optionalBox == nil)
    #expect(found.optionalWords == nil && found.optionalURL == nil)
    #expect(found.optionalDecimal == nil && found.optionalUInt == nil)
  }

  @Test func optionalsOfEveryTypeComeBack() throws {
    let context = try Make.odd()
    let saved = Everything(flag: false)
    saved.optionalFlag = false
    saved.optionalInt = 0
    saved.optionalText = ""
    saved.optionalDate = .distantPast
    saved.optionalLevel = .low
    saved.optionalBox = OddSchema.Box(sizes: [], name: "n")
    saved.optionalWords = []
    saved.optionalURL = URL(string: "https://a.b/c?d=e#f")
    saved.optionalDecimal = 0.1
    saved.optionalUInt = 1 << 63
    context.insert(saved)
    try context.save()
    let found = try #require(try ModelContext(context.container).all(Everything.self).first)
    #expect(found.optionalFlag == false && found.optionalInt == 0 && found.optionalText == "")
    #expect(found.optionalDate == .distantPast && found.optionalLevel == .low)
    #expect(found.optionalBox == OddSchema.Box(sizes: [], name: "n"))
    #expect(found.optionalWords == [])
    #expect(found.optionalURL?.absoluteString == "https://a.b/c?d=e#f")
    #expect(found.optionalDecimal == Decimal(string: "0.1") && found.optionalUInt == 1 << 63)
  }

  @Test func oddlyWrittenClassesWork() throws {
    let context = try Make.odd()
    let plain = Plain(code: "c", order: 4)
    plain.grow()
    plain.value = 9
    context.insert(plain)
    try context.save()
    let found = try #require(try ModelContext(context.container).all(Plain.self).first)
    #expect(found.code == "c" && found._order == 4 && found.default == "d" && found.index == 3)
    #expect(found.untyped == [] && found.count == 1 && found.doubled == 2 && found.value == 9)
  }

  @Test func anOwnIdentifierIsAColumn() throws {
    let context = try Make.odd()
    context.insert(Numbered(id: 7))
    try context.save()
    let wanted = 7
    let found = try context.fetch(
      FetchDescriptor<Numbered>(predicate: #Predicate { $0.id == wanted }))
    #expect(found.map(\.id) == [7])
    #expect(found.first?.persistentModelID.entityName == "Numbered")
    #expect(found.map(\.description) == ["#7"])
  }

  @Test func transientPropertiesStartAnew() throws {
    let context = try Make.library()
    let book = Book(title: "t")
    book.note = "changed"
    context.insert(book)
    try context.save()
    #expect(book.note == "changed")
    #expect(try ModelContext(context.container).all(Book.self).first?.note == "none")
  }

  @Test func theSchemaSaysWhatTheClassesSay() throws {
    let schema = Schema(versionedSchema: OddSchema.self)
    #expect(schema.version == Schema.Version(1, 2, 3))
    let plain = try #require(schema.entity(for: Plain.self))
    #expect(plain.uniquenessConstraints == [["code"], ["_order", "index"]])
    #expect(plain.indices == [["index"], ["count", "value"]])
    #expect(plain.attributesByName["value"]?.originalName == "old")
    #expect(plain.attributesByName["value"]?.options == [.spotlight])
    #expect(plain.attributesByName["default"] != nil)
    let library = Schema([Author.self])
    #expect(Set(library.entities.map(\.name)) == ["Author", "Book", "Shelf"])
  }

  @Test func inversesAreInferredWhereOnePairFits() {
    let words = Schema([Category.self]).entitiesByName
    #expect(words["Word"]?.relationshipsByName["category"]?.inverseName == "words")
    #expect(words["Category"]?.relationshipsByName["words"]?.inverseName == "category")
    let numbered = Schema([Numbered.self]).entitiesByName["Numbered"]
    #expect(numbered?.relationshipsByName["next"]?.inverseName == nil)
    let owners = Schema([Owner.self]).entitiesByName
    #expect(owners["Owner"]?.relationshipsByName["favourite"]?.inverseName == nil)
    #expect(owners["Owner"]?.relationshipsByName["pets"]?.inverseName == "owner")
    #expect(owners["Club"]?.relationshipsByName["members"]?.inverseName == "clubs")
  }

  @Test func observersHearOfChanges() throws {
    let author = Author(name: "a")
    let heard = Heard()
    withObservationTracking {
      _ = author.name
    } onChange: {
      heard.note()
    }
    author.name = "a"
    #expect(heard.count == 0)
    author.born = Date()
    #expect(heard.count == 0)
    author.name = "b"
    #expect(heard.count == 1)
  }

  @Test func observersOfTheOtherSideHear() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    let heard = Heard()
    withObservationTracking {
      _ = author.books
    } onChange: {
      heard.note()
    }
    context.insert(Book(title: "t", author: author))
    #expect(heard.count == 1)
  }

  @Test func classTypedValuesAreRefusedWithTheirName() {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: HoldsClass.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    #expect(error == SwiftDataError.unknownSchema)
    #expect(error?.message.contains("HoldsClass.thing") == true)
  }
}

final class Thing: Codable {}

@Model
final class HoldsClass {
  var thing: Thing
  init(thing: Thing) { self.thing = thing }
}

/// Counts calls from an observer.
final class Heard: Sendable {
  private let counter = Counter()
  func note() { counter.increment() }
  var count: Int { counter.value }
}
