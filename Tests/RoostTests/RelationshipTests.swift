import SwiftData
import Testing

@Suite struct RelationshipTests {
  @Test func insertingTheRootInsertsTheGraph() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    let book = Book(title: "b", author: author)
    let shelf = Shelf(label: "s", room: 2)
    book.shelves.append(shelf)
    context.insert(author)
    #expect(book.modelContext === context && shelf.modelContext === context)
    #expect(Set(context.insertedModelsArray.map(\.persistentModelID.entityName)).count == 3)
    try context.save()
    let other = ModelContext(context.container)
    #expect(try other.all(Shelf.self).first?.books?.first?.author?.name == "a")
  }

  @Test(arguments: [true, false]) func parentAndChildInAnyOrder(_ parentFirst: Bool) throws {
    let context = try Make.library()
    let author = Author(name: "a")
    let book = Book(title: "b", author: author)
    if parentFirst {
      context.insert(author)
      context.insert(book)
    } else {
      context.insert(book)
      context.insert(author)
    }
    context.insert(book)
    #expect(author.books == [book])
    try context.save()
    #expect(try context.count(Book.self) == 1)
    #expect(author.books.count == 1)
  }

  @Test func bothSidesAreInStepBeforeInsertion() {
    let author = Author(name: "a")
    let book = Book(title: "b")
    author.books.append(book)
    #expect(book.author === author)
    book.author = nil
    #expect(author.books.isEmpty)
    book.author = author
    author.books = [book]
    #expect(author.books.count == 1)
  }

  @Test func relationshipsAreSettableInInitializers() throws {
    let owner = Owner(name: "o")
    let club = Club(name: "c", members: [owner])
    #expect(owner.clubs == [club])
    let passport = Passport(number: 1, owner: owner)
    #expect(owner.passport === passport)
  }

  @Test func linkingToAnInsertedInstanceInserts() throws {
    let context = try Make.words()
    let category = Category(name: "c")
    context.insert(category)
    let word = Word("w", in: category)
    #expect(word.modelContext === context)
    #expect(context.insertedModelsArray.count == 2)
    try context.save()
    #expect(try context.all(Word.self).first === word)
    #expect(word.category === category)
  }

  @Test func movingAChildMovesItOnBothSides() throws {
    let context = try Make.words()
    let (first, second) = (Category(name: "1"), Category(name: "2"))
    context.insert(first)
    context.insert(second)
    let word = Word("w", in: first)
    try context.save()
    word.category = second
    #expect(first.words.isEmpty && second.words == [word])
    #expect(context.changedModelsArray.count == 1)
    try context.save()
    let other = ModelContext(context.container)
    let found = try other.fetch(FetchDescriptor<Category>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.words.count) == [0, 1])
  }

  @Test func oneToOneLetsGoOfTheOldPartners() throws {
    let context = try Make.owners()
    let (ann, bob) = (Owner(name: "ann"), Owner(name: "bob"))
    let (one, two) = (Passport(number: 1), Passport(number: 2))
    for model in [ann, bob] { context.insert(model) }
    ann.passport = one
    bob.passport = two
    try context.save()
    ann.passport = two
    #expect(two.owner === ann && one.owner == nil && bob.passport == nil)
    try context.save()
    let other = ModelContext(context.container)
    let owners = try other.fetch(FetchDescriptor<Owner>(sortBy: [SortDescriptor(\.name)]))
    #expect(owners.map { $0.passport?.number } == [2, nil])
  }

  @Test func deletingOneEndOfAOneToOneClearsTheOther() throws {
    let context = try Make.owners()
    let ann = Owner(name: "ann")
    context.insert(ann)
    let passport = Passport(number: 1, owner: ann)
    try context.save()
    context.delete(ann)
    #expect(passport.owner == nil)
    try context.save()
    #expect(passport.owner == nil)
    #expect(try ModelContext(context.container).all(Passport.self).first?.owner == nil)
  }

  @Test func manyToManyKeepsPairsOnce() throws {
    let context = try Make.owners()
    let people = ["a", "b", "c"].map { Owner(name: $0) }
    let club = Club(name: "club", members: people)
    context.insert(club)
    try context.save()
    #expect(people.allSatisfy { $0.clubs == [club] })
    let copy = Club(name: "copy")
    context.insert(copy)
    copy.members = club.members
    #expect(people[0].clubs.count == 2 && club.members.count == 3)
    club.members.removeAll { $0.name == "b" }
    #expect(people[1].clubs == [copy])
    try context.save()
    let other = ModelContext(context.container)
    let clubs = try other.fetch(FetchDescriptor<Club>(sortBy: [SortDescriptor(\.name)]))
    #expect(clubs.map { $0.members.map(\.name) } == [["a", "c"], ["a", "b", "c"]])
    let b = try #require(
      try other.fetch(FetchDescriptor<Owner>(predicate: #Predicate { $0.name == "b" })).first)
    #expect(b.clubs.map(\.name) == ["copy"])
  }

  @Test func oneWayRelationshipsSaveAndLetGoOfDeletedTargets() throws {
    let context = try Make.owners()
    let ann = Owner(name: "ann")
    let cat = Pet(name: "cat")
    let places = [Place(name: "x"), Place(name: "y")]
    ann.favourite = cat
    ann.visited = places
    context.insert(ann)
    try context.save()
    #expect(cat.owner == nil)
    let other = ModelContext(context.container)
    let found = try #require(try other.all(Owner.self).first)
    #expect(found.favourite?.name == "cat" && found.visited.map(\.name) == ["x", "y"])
    context.delete(cat)
    context.delete(places[0])
    #expect(ann.favourite == nil && ann.visited.map(\.name) == ["y"])
    try context.save()
    #expect(ann.favourite == nil && ann.visited.map(\.name) == ["y"])
    #expect(found.favourite == nil && found.visited.map(\.name) == ["y"])
  }

  @Test func cascadeDeletesWhatIsOwned() throws {
    let context = try Make.library()
    let author = Author(name: "a")
    for title in ["1", "2", "3"] { context.insert(Book(title: title, author: author)) }
    context.insert(Book(title: "free"))
    try context.save()
    let reader = ModelContext(context.container)
    let loaded = try #require(try reader.all(Author.self).first)
    reader.delete(loaded)
    #expect(reader.deletedModelsArray.count == 4)
    #expect(try reader.all(Book.self).map(\.title) == ["free"])
    try reader.save()
    #expect(try reader.count(Book.self) == 1)
    #expect(try context.count(Book.self) == 1)
    #expect(try context.count(Author.self) == 0)
    #expect(loaded.name == "a")
  }

  @Test func denyMakesTheSaveFailAndNamesTheRelationship() throws {
    let context = try Make.owners()
    let ann = Owner(name: "ann")
    context.insert(Pet(name: "cat", owner: ann))
    try context.save()
    context.delete(ann)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error == .modelValidationFailure)
    #expect(error?.message.contains("pets") == true)
    #expect(context.hasChanges)
    context.rollback()
    #expect(!ann.isDeleted && ann.pets.count == 1)
  }

  @Test func selfReferencesStayOneWay() throws {
    let context = try Make.odd()
    let (one, two) = (Numbered(id: 1), Numbered(id: 2))
    one.next = two
    two.previous = one
    #expect(one.previous == nil && two.next == nil)
    context.insert(one)
    try context.save()
    let other = ModelContext(context.container)
    let found = try other.all(Numbered.self).sorted()
    #expect(found.first?.next === found.last && found.last?.previous === found.first)
  }

  @Test func cyclesSave() throws {
    let context = try Make.odd()
    let ring = (0..<5).map { Numbered(id: $0) }
    for index in ring.indices { ring[index].next = ring[(index + 1) % ring.count] }
    context.insert(ring[2])
    try context.save()
    let other = ModelContext(context.container)
    let found = try other.all(Numbered.self).sorted()
    #expect(found.map { $0.next?.id } == [1, 2, 3, 4, 0])
  }

  @Test func aLongChainSaves() throws {
    let context = try Make.odd()
    var last = Numbered(id: 0)
    context.insert(last)
    for id in 1..<5_000 {
      let next = Numbered(id: id)
      next.previous = last
      last = next
    }
    try context.save()
    #expect(try context.count(Numbered.self) == 5_000)
  }

  @Test func aFetchWithoutPendingChangesDetachesNothing() throws {
    let context = try Make.words()
    let category = Category(name: "c")
    context.insert(category)
    let word = Word("w", in: category)
    var descriptor = FetchDescriptor<Word>()
    descriptor.includePendingChanges = false
    #expect(try context.fetch(descriptor).isEmpty)
    #expect(word.category === category && category.words == [word])
    try context.save()
    #expect(word.category === category)
  }

  @Test func aRequiredRelationshipThatIsMissingIsNamed() throws {
    let context = try Make.words()
    let category = Category(name: "c")
    context.insert(category)
    let word = Word("w", in: category)
    try context.save()
    category.words = []
    #expect(word.category.name == "")
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.message.contains("Word.category") == true)
  }
}
