import SwiftData
import Testing

@Suite struct UniquenessTests {
  @Test func aConflictUpdatesTheStoredRow() throws {
    let context = try Make.library()
    let old = Author(name: "ann", born: Date(timeIntervalSinceReferenceDate: 1))
    context.insert(Book(title: "kept", author: old))
    try context.save()
    let id = old.persistentModelID
    let other = ModelContext(context.container)
    let new = Author(name: "ann", born: Date(timeIntervalSinceReferenceDate: 2))
    other.insert(new)
    other.insert(Book(title: "more", author: new))
    try other.save()
    #expect(new.persistentModelID == id)
    #expect(try other.count(Author.self) == 1)
    #expect(Set(new.books.map(\.title)) == ["kept", "more"])
    #expect(try context.all(Author.self) == [old])
    #expect(old.born?.timeIntervalSinceReferenceDate == 2)
    #expect(Set(old.books.map(\.title)) == ["kept", "more"])
  }

  @Test func aConflictWithARegisteredInstanceBecomesIt() throws {
    let context = try Make.library()
    let old = Author(name: "ann")
    context.insert(old)
    try context.save()
    let new = Author(name: "ann", born: .distantPast)
    context.insert(new)
    try context.save()
    #expect(new == old && new.persistentModelID == old.persistentModelID)
    #expect(old.born == .distantPast && new.born == .distantPast)
    new.born = .distantFuture
    #expect(old.born == .distantFuture)
    try context.save()
    #expect(try ModelContext(context.container).all(Author.self).map(\.born) == [.distantFuture])
  }

  @Test func pendingDuplicatesCollapse() throws {
    let context = try Make.library()
    let (first, second) = (Author(name: "ann"), Author(name: "ann", born: .distantPast))
    context.insert(first)
    context.insert(second)
    context.insert(Book(title: "1", author: first))
    context.insert(Book(title: "2", author: second))
    try context.save()
    #expect(first == second && first.born == .distantPast)
    #expect(Set(first.books.map(\.title)) == ["1", "2"])
    let other = ModelContext(context.container)
    #expect(try other.all(Author.self).map(\.born) == [.distantPast])
    #expect(try other.all(Book.self).allSatisfy { $0.author?.name == "ann" })
  }

  @Test func compoundConstraintsAreIndependent() throws {
    let context = try Make.odd()
    context.insert(Plain(code: "a", order: 1))
    try context.save()
    context.insert(Plain(code: "b", order: 1))
    try context.save()
    #expect(try context.count(Plain.self) == 1)
    #expect(try context.all(Plain.self).first?.code == "b")
    context.insert(Plain(code: "c", order: 2))
    try context.save()
    #expect(try context.count(Plain.self) == 2)
  }

  @Test func movingOntoAnotherRowsValueFailsAndHarmsNothing() throws {
    let context = try Make.library()
    let (ann, bob) = (Author(name: "ann"), Author(name: "bob"))
    context.insert(ann)
    context.insert(bob)
    try context.save()
    bob.name = "ann"
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(bob.hasChanges)
    #expect(try ModelContext(context.container).count(Author.self) == 2)
    bob.name = "carl"
    try context.save()
  }

  @Test func aDeletedRowsValueIsFreeInTheSameSave() throws {
    let context = try Make.library()
    let old = Author(name: "ann")
    context.insert(old)
    try context.save()
    context.delete(old)
    let new = Author(name: "ann", born: .distantPast)
    context.insert(new)
    try context.save()
    #expect(new.persistentModelID != old.persistentModelID)
    #expect(try ModelContext(context.container).all(Author.self).map(\.born) == [.distantPast])
  }

  @Test func aFreedValueIsTakenInTheSameSave() throws {
    let context = try Make.library()
    let ann = Author(name: "ann")
    context.insert(ann)
    try context.save()
    ann.name = "anna"
    context.insert(Author(name: "ann"))
    try context.save()
    #expect(try ModelContext(context.container).count(Author.self) == 2)
  }
}
