import SwiftData
import Testing

/// Owners that are deleted and inserted again before a save.
@Suite struct UndeletionTests {
  private func library() throws -> (ModelContext, Author, [Book]) {
    let context = try Make.library()
    let author = Author(name: "a")
    let books = (0..<3).map { Book(title: "\($0)", author: author) }
    context.insert(author)
    try context.save()
    return (context, author, books)
  }

  @Test func theirChildrenComeBackWithThem() throws {
    let (context, author, books) = try library()
    books[1].title = "changed"
    context.delete(author)
    #expect(books.allSatisfy { $0.isDeleted })
    context.insert(author)
    #expect(books.allSatisfy { !$0.isDeleted })
    #expect(author.books.count == 3)
    #expect(context.deletedModelsArray.isEmpty)
    try context.save()
    #expect(
      Set(try ModelContext(context.container).all(Book.self).map(\.title)) == ["0", "changed", "2"])
    #expect(books.allSatisfy { $0.modelContext === context })
  }

  @Test func aChildThatWasNotSavedYetComesBack() throws {
    let (context, author, _) = try library()
    let fresh = Book(title: "fresh", author: author)
    context.delete(author)
    #expect(fresh.modelContext == nil)
    context.insert(author)
    #expect(fresh.modelContext === context && fresh.author === author)
    #expect(author.books.count == 4)
    try context.save()
    #expect(try ModelContext(context.container).count(Book.self) == 4)
  }

  @Test(arguments: [true, false])
  func aChildThatWasDeletedByItselfStaysDeleted(_ before: Bool) throws {
    let (context, author, books) = try library()
    if before { context.delete(books[0]) }
    context.delete(author)
    if !before { context.delete(books[0]) }
    context.insert(author)
    #expect(books.map(\.isDeleted) == [true, false, false])
    try context.save()
    #expect(Set(try ModelContext(context.container).all(Book.self).map(\.title)) == ["1", "2"])
  }

  @Test func deletedAgainTheyTakeTheirChildrenAlongAgain() throws {
    let (context, author, books) = try library()
    context.delete(author)
    context.insert(author)
    context.delete(author)
    #expect(books.allSatisfy { $0.isDeleted })
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.count(Book.self) == 0)
    #expect(try other.count(Author.self) == 0)
  }
}
