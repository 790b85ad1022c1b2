import RoostModel
import SwiftData
import Testing

@testable import Roost

/// A save whose answer is awaited while its context goes on to be used.
@Suite struct SaveFlightTests {
  private let container: ModelContainer
  private let graph = ObjectGraph()

  init() throws {
    container = try Make.libraryContainer()
    let context = ModelContext(container)
    for title in ["a", "b"] { context.insert(Book(title: title)) }
    try context.save()
    graph.binding = container.core.binding
  }

  /// The rows of the store as a graph without a source gets them.
  private func books() throws -> [Book] {
    let binding = try #require(container.core.binding.binding(of: Book._$description))
    let reader = try container.core.engine.makeReader()
    _ = try reader.begin()
    defer { reader.end() }
    let batch = try reader.rows(binding.entity, ids: [1, 2], columns: nil, bytesMax: .max)
    return graph.register(batch).compactMap { graph.instance($0, as: Book.self) }
  }

  private func end(_ flight: SaveFlight) {
    _ = graph.endSave(
      flight,
      results: (0..<flight.operationCount).map { _ in OperationResult(row: 1, outcome: .updated) })
  }

  @Test func whatOthersAreSetToMeanwhileStaysPending() throws {
    let books = try books()
    books[0].pages = 1
    let flight = try graph.beginSave()
    books[1].pages = 2
    end(flight)
    #expect(graph.hasChanges)
    let next = try graph.beginSave()
    #expect(next.operationCount == 1)
    end(next)
    #expect(!graph.hasChanges)
    #expect(books[0].pages == 1 && books[1].pages == 2)
  }

  @Test func whatIsSetOnceMoreMeanwhileStaysPending() throws {
    let books = try books()
    books[0].pages = 1
    let flight = try graph.beginSave()
    books[0].pages = 2
    end(flight)
    #expect(graph.hasChanges)
    #expect(try graph.beginSave().operationCount == 1)
    graph.rollback()
    #expect(books[0].pages == 1)
  }

  @Test func aReadWithinAReadKeepsTheSnapshotOfTheOuter() throws {
    let store = ContextStore(container.core.engine)
    let binding = try #require(container.core.binding.binding(of: Book._$description))
    var rows = 0
    try store.read { (reader) throws(StoreError) in
      let cursor = try reader.cursor(Query(entity: binding.entity))
      while let batch = try cursor.next(rowsMax: 1, bytesMax: 1 << 20) {
        rows += batch.rowCount
        #expect(store.rows(binding, ids: [1])?.rowCount == 1)
      }
    }
    #expect(rows == 2)
    #expect(store.loadError == nil)
  }
}
