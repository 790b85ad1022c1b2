import SwiftData
import Testing

@Suite struct ContextTests {
  static func makeContext() throws -> ModelContext {
    let container = try ModelContainer(
      for: Author.self, Book.self, Shelf.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    return ModelContext(container)
  }

  @Test func savesAndFetches() throws {
    let context = try Self.makeContext()
    let author = Author(name: "Ann")
    context.insert(author)
    let book = Book(title: "One", pages: 10, author: author)
    #expect(author.books == [book])
    #expect(context.hasChanges)
    try context.save()
    #expect(!context.hasChanges)
    #expect(book.persistentModelID.storeIdentifier != nil)
    let other = ModelContext(context.container)
    let found = try other.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 5 }))
    #expect(found.map(\.title) == ["One"])
    #expect(found.first?.author?.name == "Ann")
    #expect(found.first?.author?.books.count == 1)
  }
}
