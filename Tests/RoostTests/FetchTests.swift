import SwiftData
import Testing

@Suite struct FetchTests {
  private func saved() throws -> (ModelContext, [Book]) {
    let context = try Make.library()
    let books = Sample.fill(context)
    try context.save()
    return (context, books)
  }

  @Test func sortsByOneKeyThenAnother() throws {
    let (context, books) = try saved()
    let sorted = try context.fetch(
      FetchDescriptor<Book>(sortBy: [
        SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.pages),
      ]))
    let expected = books.sorted {
      ($0.rating ?? -1) == ($1.rating ?? -1)
        ? $0.pages < $1.pages : ($0.rating ?? -1) > ($1.rating ?? -1)
    }
    #expect(sorted == expected)
  }

  @Test func sortsOverOptionalToOnes() throws {
    let (context, _) = try saved()
    let sorted = try context.fetch(
      FetchDescriptor<Book>(sortBy: [
        SortDescriptor(\.author?.name), SortDescriptor(\.pages, order: .reverse),
      ]))
    #expect(sorted.prefix(8).allSatisfy { $0.author == nil })
    #expect(sorted.last?.author?.name == "Bob")
  }

  @Test func pagesAreStable() throws {
    let (context, books) = try saved()
    let all = try context.all(Book.self)
    var seen: [Book] = []
    for page in 0..<5 {
      var descriptor = FetchDescriptor<Book>()
      descriptor.fetchLimit = 5
      descriptor.fetchOffset = page * 5
      #expect(try context.fetchCount(descriptor) == (page < 4 ? 5 : 4))
      seen += try context.fetch(descriptor)
    }
    #expect(seen == all && Set(seen) == Set(books))
  }

  @Test func pendingChangesCountInOrderLimitAndOffset() throws {
    let (context, books) = try saved()
    books[0].pages = 1_000
    books[1].pages = -1
    context.delete(books[2])
    context.insert(Book(title: "new", pages: 35))
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)])
    descriptor.fetchLimit = 4
    #expect(try context.fetch(descriptor).map(\.pages) == [-1, 30, 35, 40])
    descriptor.fetchOffset = 21
    #expect(try context.fetch(descriptor).map(\.pages) == [220, 230, 1_000])
    descriptor.fetchOffset = nil
    descriptor.includePendingChanges = false
    #expect(try context.fetchIdentifiers(descriptor).count == 4)
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 24)
  }

  @Test func aChangedRelatedInstanceCounts() throws {
    let (context, books) = try saved()
    let author = try #require(books[0].author)
    author.name = "Renamed"
    let found = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.author?.name == "Renamed" }))
    #expect(found.count == 8)
    context.delete(author)
    let orphans = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.author == nil }))
    #expect(orphans.count == 8)
  }

  @Test func identifiersAreFound() throws {
    let (context, books) = try saved()
    let id = books[3].persistentModelID
    let ids = books[5...7].map(\.persistentModelID)
    let author = try #require(books[0].author?.persistentModelID)
    let one = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.persistentModelID == id }))
    #expect(one == [books[3]])
    let several = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { ids.contains($0.persistentModelID) }))
    #expect(several == Array(books[5...7]))
    let inherited = try context.fetch(
      FetchDescriptor<Book>(predicate: #Predicate { $0.id == id }))
    #expect(inherited == [books[3]])
    let byAuthor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.author?.persistentModelID == author })
    #expect(try context.fetchCount(byAuthor) == 8)
    let nested = FetchDescriptor<Shelf>(
      predicate: #Predicate { shelf in
        (shelf.books?.contains { book in
          book.author.flatMap { $0.persistentModelID == author } ?? false
        }) == true
      })
    #expect(try context.fetchCount(nested) == 3)
  }

  @Test func temporaryIdentifiersAreFound() throws {
    let context = try Make.library()
    let book = Book(title: "t")
    context.insert(book)
    let id = book.persistentModelID
    let descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.persistentModelID == id })
    #expect(try context.fetch(descriptor) == [book])
    try context.save()
    #expect(try context.fetch(descriptor) == [book])
  }

  @Test func unsupportedPredicatesSayWhat() throws {
    let (context, _) = try saved()
    let tags = FetchDescriptor<Book>(predicate: #Predicate { $0.tags.contains("x") })
    let error = #expect(throws: SwiftDataError.self) { try context.fetch(tags) }
    #expect(error == .unsupportedPredicate)
    #expect(error?.message.contains("tags") == true)
    let computed = FetchDescriptor<Plain>(predicate: #Predicate { $0.doubled > 1 })
    let odd = try Make.odd()
    #expect(throws: SwiftDataError.unsupportedPredicate) { try odd.fetch(computed) }
    do {
      _ = try context.fetchCount(tags)
      Issue.record("nothing was thrown")
    } catch SwiftDataError.unsupportedPredicate {
    }
  }

  @Test func aClassOutsideTheSchemaIsNamed() throws {
    let context = try Make.library()
    let error = #expect(throws: SwiftDataError.self) { try context.all(Pet.self) }
    #expect(error == .unknownSchema && error?.message.contains("Pet") == true)
    context.insert(Pet(name: "p"))
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
  }

  @Test func onlyNamedPropertiesAreReadAndTheRestFollows() throws {
    let (context, books) = try saved()
    let other = ModelContext(context.container)
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)])
    descriptor.propertiesToFetch = [\.title, \.pages]
    descriptor.relationshipKeyPathsForPrefetching = [\.author, \.shelves]
    let found = try other.fetch(descriptor)
    #expect(found.map(\.title) == books.map(\.title))
    #expect(found.map(\.rating) == books.map(\.rating))
    #expect(found[1].author?.name == "Bob")
  }

  @Test func enumerateRefusesSilentChanges() throws {
    let (context, _) = try saved()
    var seen = 0
    try context.enumerate(FetchDescriptor<Book>(), batchSize: 5) { _ in seen += 1 }
    #expect(seen == 24)
    #expect(throws: SwiftDataError.self) {
      try context.enumerate(FetchDescriptor<Book>(), batchSize: 5) { $0.pages += 1 }
    }
    context.rollback()
    try context.enumerate(
      FetchDescriptor<Book>(), batchSize: 5, allowEscapingMutations: true
    ) { $0.pages += 1 }
    #expect(context.changedModelsArray.count == 24)
  }

  @Test func genericHelpersWork() throws {
    func first<T: PersistentModel>(_ context: ModelContext, _ id: PersistentIdentifier) throws -> T?
    {
      var descriptor = FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == id })
      descriptor.fetchLimit = 1
      return try context.fetch(descriptor).first
    }
    let (context, books) = try saved()
    let found: Book? = try first(context, books[4].persistentModelID)
    #expect(found === books[4])
  }
}
