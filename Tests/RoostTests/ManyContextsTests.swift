import Foundation
import SwiftData
import Testing

/// A context needs a connection only while it reads.
@Suite struct ManyContextsTests {
  @Test func moreContextsReadThanThereAreReaders() throws {
    let container = try Make.libraryContainer()
    let writer = ModelContext(container)
    writer.insert(Book(title: "one"))
    try writer.save()
    var contexts: [ModelContext] = []
    for _ in 0..<300 {
      let context = ModelContext(container)
      #expect(try context.all(Book.self).map(\.title) == ["one"])
      contexts.append(context)
    }
    // All of them still see what is committed later.
    writer.insert(Book(title: "two"))
    try writer.save()
    for context in contexts { #expect(try context.count(Book.self) == 2) }
  }
}
