import SwiftData
import Testing

@Suite struct ObjectLifeTests {
  @Test func oneInstanceForOneRow() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    #expect(try context.all(Author.self).first === author)
    let id = author.persistentModelID
    #expect(context.model(for: id) === author)
    let registered: Author? = context.registeredModel(for: id)
    #expect(registered === author)
    let other = ModelContext(context.container)
    let none: Author? = other.registeredModel(for: id)
    #expect(none == nil)
    #expect(try other.all(Author.self).first === other.model(for: id))
  }

  @Test func temporaryIdentifiersKeepWorking() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    let temporary = author.persistentModelID
    #expect(temporary.storeIdentifier == nil)
    let hash = author.hashValue
    try context.save()
    #expect(author.persistentModelID != temporary)
    #expect(author.persistentModelID.storeIdentifier != nil)
    #expect(context.model(for: temporary) === author)
    #expect(author.hashValue == hash)
  }

  @Test func identifiersAreEqualAfterCoding() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    for _ in 0..<2 {
      let id = author.persistentModelID
      let coded = try JSONEncoder().encode(id)
      #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: coded) == id)
      try context.save()
    }
    let id = author.persistentModelID
    let made = try PersistentIdentifier.identifier(
      for: try #require(id.storeIdentifier), entityName: "Author",
      primaryKey: Int(id.description.split(separator: "p").last ?? "") ?? 0)
    #expect(made == id)
  }

  @Test func deletedInstancesStayReadable() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    context.delete(author)
    #expect(author.isDeleted && author.modelContext === context && author.name == "a")
    try context.save()
    #expect(!author.isDeleted && author.modelContext == nil && author.name == "a")
    #expect(author.books.isEmpty)
    author.name = "still works"
    #expect(!context.hasChanges)
  }

  @Test func aDeletedInstanceCanBeInsertedAgain() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    let old = author.persistentModelID
    context.delete(author)
    try context.save()
    context.insert(author)
    try context.save()
    #expect(author.persistentModelID != old && author.persistentModelID.storeIdentifier != nil)
    #expect(try ModelContext(context.container).all(Author.self).map(\.name) == ["a"])
  }

  @Test func instancesOutliveTheirContext() throws {
    var context: ModelContext? = try Make.library()
    let container = try #require(context?.container)
    let author = Author(name: "a")
    context?.insert(Book(title: "b", author: author))
    try context?.save()
    context = nil
    #expect(author.name == "a" && author.modelContext == nil)
    _ = author.books
    author.name = "b"
    #expect(try ModelContext(container).all(Author.self).map(\.name) == ["a"])
  }

  @Test func anUnknownIdentifierGivesAnEmptyInstance() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    let unknown = try PersistentIdentifier.identifier(
      for: try #require(author.persistentModelID.storeIdentifier), entityName: "Author",
      primaryKey: 999)
    let model = try #require(context.model(for: unknown) as? Author)
    #expect(model.name == "" && model.born == nil && model.books.isEmpty)
    #expect(model.modelContext == nil)
  }

  @Test func insertThenDeleteLeavesNothing() throws {
    let context = try Make.library()
    let book = Book(title: "b")
    context.insert(book)
    context.delete(book)
    #expect(!context.hasChanges && context.insertedModelsArray.isEmpty)
    #expect(book.modelContext == nil)
    try context.save()
    #expect(try context.count(Book.self) == 0)
  }

  @Test func rollbackGoesBackToTheLastSave() throws {
    let context = try Make.library()
    let author = Author(name: "saved")
    context.insert(author)
    let book = Book(title: "kept", author: author)
    try context.save()
    author.name = "second"
    try context.save()
    author.name = "third"
    book.author = nil
    context.insert(Book(title: "new", author: author))
    let doomed = Author(name: "doomed")
    context.insert(doomed)
    context.delete(book)
    context.rollback()
    #expect(!context.hasChanges)
    #expect(author.name == "second" && author.books == [book] && book.author === author)
    #expect(!book.isDeleted && doomed.modelContext == nil)
    #expect(try context.count(Book.self) == 1)
  }

  @Test func transactionsRollBackWhatThrows() throws {
    struct Stop: Error {}
    let context = try Make.library()
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Author(name: "a"))
        throw Stop()
      }
    }
    #expect(!context.hasChanges)
    try context.transaction { context.insert(Author(name: "b")) }
    #expect(try ModelContext(context.container).all(Author.self).map(\.name) == ["b"])
  }

  @Test func bulkDeleteReachesRegisteredAndPendingInstances() throws {
    let context = try Make.library()
    let books = (0..<10).map { Book(title: "\($0)", pages: $0) }
    for book in books { context.insert(book) }
    try context.save()
    let pending = Book(title: "pending", pages: 100)
    context.insert(pending)
    try context.delete(model: Book.self, where: #Predicate { $0.pages >= 5 })
    #expect(books[7].isDeleted && pending.modelContext == nil)
    try context.save()
    #expect(try context.count(Book.self) == 5)
    context.insert(Book(title: "fresh"))
    try context.save()
    #expect(books[9].title == "9" && books[9].modelContext == nil)
    try context.delete(model: Book.self)
    try context.save()
    #expect(try context.count(Book.self) == 0)
  }

  @Test func savedInstancesAreLetGo() throws {
    let context = try Make.library()
    for round in 0..<10 {
      for index in 0..<2_000 { context.insert(Book(title: "\(round) \(index)")) }
      try context.save()
    }
    #expect(context.graph.registeredCount < 12_000)
    #expect(try context.count(Book.self) == 20_000)
  }

  @Test func oneSaveTakesMoreThanOneMessageWould() throws {
    let context = try Make.library()
    for index in 0..<12_000 { context.insert(Book(title: "\(index)", pages: index)) }
    try context.save()
    #expect(try ModelContext(context.container).count(Book.self) == 12_000)
  }

  @Test func theArraysOfPendingInstancesAreDisjoint() throws {
    let context = try Make.library()
    let (kept, gone) = (Author(name: "kept"), Author(name: "gone"))
    context.insert(kept)
    context.insert(gone)
    try context.save()
    kept.name = "changed"
    gone.name = "changed too"
    context.delete(gone)
    context.insert(Author(name: "new"))
    func names(_ models: [any PersistentModel]) -> [String] {
      models.compactMap { ($0 as? Author)?.name }
    }
    #expect(names(context.insertedModelsArray) == ["new"])
    #expect(names(context.changedModelsArray) == ["changed"])
    #expect(names(context.deletedModelsArray) == ["changed too"])
    #expect(kept.hasChanges)
  }

  @Test func savingSaysWhatWasSaved() throws {
    let context = try Make.library()
    let (old, doomed) = (Author(name: "old"), Author(name: "doomed"))
    context.insert(old)
    context.insert(doomed)
    try context.save()
    let heard = Heard()
    let center = NotificationCenter.default
    let will = center.addObserver(
      forName: ModelContext.willSave, object: context, queue: nil
    ) { _ in heard.note() }
    let did = center.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      func count(_ key: ModelContext.NotificationKey) -> Int {
        (note.userInfo?[key.rawValue] as? [PersistentIdentifier])?.count ?? -1
      }
      #expect(count(.insertedIdentifiers) == 1)
      #expect(count(.updatedIdentifiers) == 1)
      #expect(count(.deletedIdentifiers) == 1)
      heard.note()
    }
    defer {
      center.removeObserver(will)
      center.removeObserver(did)
    }
    old.name = "new"
    context.delete(doomed)
    context.insert(Author(name: "fresh"))
    try context.save()
    try context.save()
    #expect(heard.count == 2)
  }
}
