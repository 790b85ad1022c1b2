import SwiftData
import Testing

/// A predicate and what it means in plain Swift.
struct Shape: Sendable, CustomTestStringConvertible {
  let name: String
  let predicate: Predicate<Book>
  let meaning: @Sendable (Book) -> Bool

  var testDescription: String { name }

  init(
    _ name: String, _ predicate: Predicate<Book>, _ meaning: @escaping @Sendable (Book) -> Bool
  ) {
    self.name = name
    self.predicate = predicate
    self.meaning = meaning
  }
}

/// Books of every kind: with and without author, rating, shelf.
enum Sample {
  static let epoch = Date(timeIntervalSinceReferenceDate: 0)

  @discardableResult
  static func fill(_ context: ModelContext) -> [Book] {
    let ann = Author(name: "Ann Émile", born: epoch)
    let bob = Author(name: "Bob", born: nil)
    let shelves = (0..<3).map { Shelf(label: "s\($0)", room: $0) }
    var books: [Book] = []
    for index in 0..<24 {
      let book = Book(title: "Title \(index)", pages: index * 10)
      book.rating = index % 3 == 0 ? nil : Double(index) / 2
      book.isLent = index % 4 == 0
      book.genre = [.novel, .poems, .history][index % 3]
      book.price = Decimal(index)
      book.author = [ann, bob, nil][index % 3]
      book.shelves = (0..<3).filter { index & (1 << $0) != 0 }.map { shelves[$0] }
      books.append(book)
    }
    books[5].title = "Ünïcode Straße"
    books[6].title = ""
    for book in books { context.insert(book) }
    return books
  }
}

@Suite struct PredicateShapeTests {
  @Test(arguments: Shapes.all) func storedRows(_ shape: Shape) throws {
    let context = try Make.library()
    let books = Sample.fill(context)
    try context.save()
    let expected = Set(books.filter(shape.meaning).map(\.pages))
    let other = ModelContext(context.container)
    let descriptor = FetchDescriptor<Book>(predicate: shape.predicate)
    #expect(Set(try other.fetch(descriptor).map(\.pages)) == expected)
    #expect(try other.fetchCount(descriptor) == expected.count)
    #expect(try other.fetchIdentifiers(descriptor).count == expected.count)
  }

  @Test(arguments: Shapes.all) func pendingInstances(_ shape: Shape) throws {
    let context = try Make.library()
    let books = Sample.fill(context)
    let descriptor = FetchDescriptor<Book>(predicate: shape.predicate)
    let expected = Set(books.filter(shape.meaning).map(\.pages))
    #expect(Set(try context.fetch(descriptor).map(\.pages)) == expected)
    #expect(try context.fetchCount(descriptor) == expected.count)
  }

  @Test(arguments: Shapes.all) func savedAndChangedInstances(_ shape: Shape) throws {
    let context = try Make.library()
    var books = Sample.fill(context)
    try context.save()
    for (index, book) in books.enumerated() where index % 2 == 0 {
      book.title = "x" + book.title
      book.rating = nil
      book.author = books[(index + 1) % books.count].author
    }
    context.delete(books.removeLast())
    let descriptor = FetchDescriptor<Book>(predicate: shape.predicate)
    let expected = Set(books.filter(shape.meaning).map(\.pages))
    #expect(Set(try context.fetch(descriptor).map(\.pages)) == expected)
  }
}
