import SwiftData
import Testing

@Suite struct ContainerTests {
  @Test func aFileKeepsWhatWasSaved() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("deep/er/library.store")
      func open() throws -> ModelContainer {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: url))
      }
      var container: ModelContainer? = try open()
      var id: PersistentIdentifier?
      do {
        let context = ModelContext(try #require(container))
        let author = Author(name: "a")
        context.insert(Book(title: "b", author: author))
        try context.save()
        id = author.persistentModelID
      }
      container = nil
      let again = try open()
      let context = ModelContext(again)
      let known = try #require(id)
      let author = try #require(context.model(for: known) as? Author)
      #expect(author.name == "a" && author.books.map(\.title) == ["b"])
      container = again
    }
  }

  @Test func whatIsNoStoreIsATypedError() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("bad.store")
      try Data("this is not a database, and it is longer than a header".utf8).write(to: url)
      #expect(throws: SwiftDataError.loadIssueModelContainer) {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: url))
      }
    }
  }

  @Test func configurationNamesAreChecked() {
    #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
      try ModelConfiguration("a/b").validate()
    }
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try ModelConfiguration(String(repeating: "x", count: 300)).validate()
    }
  }

  @Test func aContextWithoutPermissionDoesNotSave() throws {
    let container = try ModelContainer(
      for: Author.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true, allowsSave: false))
    let context = ModelContext(container)
    context.insert(Author(name: "a"))
    #expect(throws: SwiftDataError.storeFailure) { try context.save() }
  }

  @Test func eraseLeavesNothing() throws {
    let context = try Make.library()
    Sample.fill(context)
    try context.save()
    try context.container.erase()
    #expect(try context.count(Book.self) == 0 && context.count(Author.self) == 0)
  }

  @Test func twoClassesOfOneNameAreRefused() {
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: Author.self, OtherSchema.Author.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }
    #expect(error == .unknownSchema && error?.message.contains("Author") == true)
  }
}

enum OtherSchema {
  @Model
  final class Author {
    var x = 1
    init() {}
  }
}
