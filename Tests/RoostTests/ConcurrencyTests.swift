import Dispatch
import SwiftData
import Testing

@ModelActor
actor Librarian {
  func add(_ titles: [String]) throws {
    for title in titles {
      modelContext.insert(Book(title: title))
      try modelContext.save()
    }
  }

  func rename(_ id: PersistentIdentifier, to title: String) throws {
    let book = try #require(self[id, as: Book.self])
    book.title = title
    try modelContext.save()
  }

  func isAuthor(_ id: PersistentIdentifier) -> Bool { self[id, as: Author.self] != nil }

  func isOnMainThread() -> Bool { Thread.isMainThread }

  func wait(for semaphore: DispatchSemaphore) -> Bool {
    semaphore.wait(timeout: .now() + 20) == .success
  }
}

@Suite struct ConcurrencyTests {
  @MainActor @Test func savesOnTheMainContextBesideTwoSavingActors() async throws {
    let container = try Make.libraryContainer()
    let actors = (Librarian(modelContainer: container), Librarian(modelContainer: container))
    async let first: Void = actors.0.add((0..<50).map { "a\($0)" })
    async let second: Void = actors.1.add((0..<50).map { "b\($0)" })
    for index in 0..<50 {
      container.mainContext.insert(Book(title: "m\(index)"))
      try container.mainContext.save()
      await Task.yield()
    }
    _ = try await (first, second)
    #expect(try container.mainContext.count(Book.self) == 150)
  }

  @MainActor @Test func anActorSavesWhileTheMainActorIsBlocked() throws {
    let container = try Make.libraryContainer()
    let context = container.mainContext
    context.insert(Book(title: "main"))
    try context.save()
    let actor = Librarian(modelContainer: container)
    let done = DispatchSemaphore(value: 0)
    let detached = Task.detached {
      try await actor.add(["x", "y"])
      done.signal()
    }
    // Blocks the main actor itself until the actor has saved; the time is only a bound.
    #expect(done.wait(timeout: .now() + 20) == .success)
    _ = detached
    #expect(try context.count(Book.self) == 3)
  }

  @MainActor @Test func actorsRunOffTheMainThread() async throws {
    let actor = Librarian(modelContainer: try Make.libraryContainer())
    #expect(await !actor.isOnMainThread())
  }

  @Test func blockedActorsLeaveTheCooperativePoolFree() async throws {
    let container = try Make.libraryContainer()
    let gate = DispatchSemaphore(value: 0)
    let blocked = (0..<8).map { _ in Librarian(modelContainer: container) }
    let waits = blocked.map { actor in Task { await actor.wait(for: gate) } }
    // The pool has one thread a core: were they blocked there, this would wait for its bound.
    let free = Librarian(modelContainer: container)
    try await free.add(["free"])
    for _ in waits { gate.signal() }
    for wait in waits { #expect(await wait.value) }
  }

  @MainActor @Test func theMainContextSeesWhatActorsSaved() async throws {
    let container = try Make.libraryContainer()
    let context = container.mainContext
    let book = Book(title: "old")
    context.insert(book)
    try context.save()
    let actor = Librarian(modelContainer: container)
    try await actor.rename(book.persistentModelID, to: "new")
    #expect(book.title == "new")
    #expect(await !actor.isAuthor(book.persistentModelID))
  }

  @MainActor @Test func aSaveInTheSameTurnShowsAtOnce() throws {
    let container = try Make.libraryContainer()
    let book = Book(title: "old")
    container.mainContext.insert(book)
    try container.mainContext.save()
    let other = ModelContext(container)
    try #require(try other.all(Book.self).first).title = "new"
    try other.save()
    #expect(book.title == "new")
  }

  @MainActor @Test func theMainContextIsOneAndSavesByItself() async throws {
    let container = try Make.libraryContainer()
    let context = container.mainContext
    #expect(context === container.mainContext && context.autosaveEnabled)
    #expect(context.container == container)
    context.insert(Book(title: "t"))
    for _ in 0..<1_000 where context.hasChanges { await Task.yield() }
    #expect(!context.hasChanges)
    #expect(try ModelContext(container).count(Book.self) == 1)
  }

  @MainActor @Test func whatMendsAFailedSaveIsSavedByItselfToo() async throws {
    let container = try Make.libraryContainer()
    let context = container.mainContext
    let author = Author(name: "b")
    context.insert(Author(name: "a"))
    context.insert(author)
    try context.save()
    author.name = "a"
    for _ in 0..<1_000 where context.autosaveError == nil { await Task.yield() }
    #expect(context.autosaveError != nil && context.hasChanges)
    author.name = "c"
    for _ in 0..<1_000 where context.hasChanges { await Task.yield() }
    #expect(context.autosaveError == nil && !context.hasChanges)
    #expect(try ModelContext(container).all(Author.self).map(\.name).sorted() == ["a", "c"])
  }

  @MainActor @Test func whatIsLeftIsSavedWhenTheMainContextGoes() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("library.store")
      func open() throws -> ModelContainer {
        try ModelContainer(for: Author.self, configurations: ModelConfiguration(url: url))
      }
      do { try open().mainContext.insert(Book(title: "t")) }
      #expect(try ModelContext(open()).count(Book.self) == 1)
    }
  }
}

@Suite struct FollowingTests {
  @Test func aSaveRefreshesInstancesOfOtherContexts() throws {
    let context = try Make.library()
    let book = Book(title: "old", pages: 1)
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    let same = try #require(try other.all(Book.self).first)
    let heard = (title: Heard(), pages: Heard())
    withObservationTracking {
      _ = same.title
    } onChange: {
      heard.title.note()
    }
    withObservationTracking {
      _ = same.pages
    } onChange: {
      heard.pages.note()
    }
    book.title = "new"
    try context.save()
    #expect(same.title == "new")
    #expect(heard.title.count == 1 && heard.pages.count == 0)
  }

  @Test func changedInstancesKeepWhatWasSet() throws {
    let context = try Make.library()
    let book = Book(title: "old", pages: 1)
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    let same = try #require(try other.all(Book.self).first)
    same.pages = 99
    book.title = "new"
    book.pages = 2
    try context.save()
    #expect(try other.all(Book.self).first === same)
    #expect(same.title == "new" && same.pages == 99)
    try other.save()
    #expect(book.pages == 99 && book.title == "new")
  }

  @Test func rowsDeletedElsewhereLeaveTheContextAndStayReadable() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    let book = Book(title: "t", author: author)
    context.insert(book)
    try context.save()
    let other = ModelContext(context.container)
    let same = try #require(try other.all(Author.self).first)
    #expect(same.books.count == 1)
    context.delete(book)
    try context.save()
    #expect(same.books.isEmpty)
    context.delete(author)
    try context.save()
    #expect(try other.count(Author.self) == 0)
    #expect(same.name == "a" && same.modelContext == nil)
  }

  @Test func listsOfRelatedInstancesFollow() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    try context.save()
    let other = ModelContext(context.container)
    let same = try #require(try other.all(Author.self).first)
    #expect(same.books.isEmpty)
    context.insert(Book(title: "1", author: author))
    try context.save()
    #expect(same.books.map(\.title) == ["1"])
  }
}
