import SwiftData

enum Genre: String, Codable, CaseIterable {
  case novel
  case poems
  case history
}

struct Address: Codable, Hashable {
  var street: String
  var city: String
}

@Model
final class Author {
  @Attribute(.unique) var name: String
  var born: Date?
  var address: Address?
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

  init(name: String, born: Date? = nil) {
    self.name = name
    self.born = born
  }
}

@Model
final class Book {
  var title: String
  var pages: Int
  var price: Decimal = 0
  var genre: Genre = Genre.novel
  var rating: Double?
  var isLent: Bool = false
  var tags: [String] = []
  var author: Author?
  var shelves: [Shelf] = []
  @Transient var note = "none"

  init(title: String, pages: Int = 0, author: Author? = nil) {
    self.title = title
    self.pages = pages
    self.author = author
  }
}

@Model
final class Shelf {
  private(set) var label: String
  let room: Int
  var books: [Book]?

  init(label: String, room: Int) {
    self.label = label
    self.room = room
  }

  func rename(_ label: String) { self.label = label }
}
