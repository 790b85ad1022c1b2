import Testing

@testable import Roost

/// What a context remembers of the rows its instances had before they were saved.
@Suite struct TemporaryIdentifierTests {
  @Test func aContextDoesNotGrowWithWhatItHasSaved() throws {
    let context = try Make.library()
    for round in 0..<50 {
      for number in 0..<20 {
        let author = Author(name: "\(round)/\(number)")
        context.insert(author)
        context.insert(Book(title: "b", author: author))
      }
      try context.save()
      // Those of this save and of the one before.
      #expect(context.graph.aliases.count <= 2 * 40)
    }
    #expect(try context.count(Book.self) == 1_000)
    let other = ModelContext(context.container)
    #expect(try other.all(Book.self).allSatisfy { $0.author != nil })
  }

  @Test func anIdentifierThatWasHandedOutLeadsToItsRowForGood() throws {
    let context = try Make.library()
    let author = Author(name: "known")
    context.insert(author)
    let temporary = author.persistentModelID
    try context.save()
    for number in 0..<10 {
      context.insert(Author(name: "\(number)"))
      try context.save()
    }
    let found: Author? = context.registeredModel(for: temporary)
    #expect(found === author)
    #expect((context.model(for: temporary) as? Author)?.name == "known")
  }

  /// The identifier of the earlier of two instances that collapse goes on to lead to the later.
  @Test func aCollapsedInstancesIdentifierLeadsToTheOtherForGood() throws {
    let context = try Make.library()
    let earlier = Author(name: "same")
    context.insert(earlier)
    let temporary = earlier.persistentModelID
    context.insert(Author(name: "same"))
    try context.save()
    for number in 0..<5 {
      context.insert(Author(name: "\(number)"))
      try context.save()
    }
    #expect((context.model(for: temporary) as? Author)?.name == "same")
  }

  /// What left the context before its save finds what it leads to when it comes back.
  @Test(arguments: [true, false])
  func anInstanceThatComesBackFindsItsTargets(_ rollsBack: Bool) throws {
    let context = try Make.library()
    let author = Author(name: "a")
    context.insert(author)
    let book = Book(title: "b", author: author)
    context.insert(book)
    if rollsBack {
      context.rollback()
      context.insert(author)
    } else {
      context.delete(book)
    }
    for number in 0..<5 {
      context.insert(Author(name: "\(number)"))
      try context.save()
    }
    context.insert(book)
    #expect(book.author === author)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.all(Book.self).first?.author?.name == "a")
  }

  @Test func anInstanceThatComesBackFindsTheManyItLedTo() throws {
    let context = try Make.library()
    let shelf = Shelf(label: "s", room: 1)
    let book = Book(title: "b")
    context.insert(shelf)
    context.insert(book)
    book.shelves = [shelf]
    context.delete(book)
    for number in 0..<5 {
      context.insert(Author(name: "\(number)"))
      try context.save()
    }
    context.insert(book)
    #expect(book.shelves.first === shelf)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.all(Book.self).first?.shelves.map(\.label) == ["s"])
  }

  @Test func circlesOfNewInstancesHoldTogether() throws {
    let context = try Make.odd()
    let (one, two) = (Numbered(id: 1), Numbered(id: 2))
    one.next = two
    two.next = one
    context.insert(one)
    try context.save()
    for id in 3..<8 {
      context.insert(Numbered(id: id))
      try context.save()
    }
    #expect(one.next === two && two.next === one)
    let other = ModelContext(context.container)
    let found = try other.all(Numbered.self).first { $0.id == 1 }
    #expect(found?.next?.next?.id == 1)
  }
}
