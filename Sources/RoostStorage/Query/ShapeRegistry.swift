import RoostModel
import Synchronization

/// The shapes of a store's queries, each made when it is first met.
///
/// Readers look here when they prepare a statement, and keep what they found with the statement:
/// a query whose statement is ready costs no look-up. Bounded by
/// ``StorageLimits/shapesMax`` and ``StorageLimits/shapeBytesMax``: what comes beyond them is one
/// shape a kind, ``QueryShape/othersText``, until the schema changes and all are dropped.
final class ShapeRegistry: Sendable {
  enum Found {
    case shape(QueryShape)
    /// There is room for it: make it, then ``keep(_:for:)``.
    case room
  }

  private struct State {
    var schemaVersion: UInt32 = 0
    /// By the SQL, in which a long list has two values.
    var shapes: [String: QueryShape] = [:]
    var byteCount = 0

    var isFull: Bool {
      shapes.count >= StorageLimits.shapesMax || byteCount >= StorageLimits.shapeBytesMax
    }
  }

  private let state = Mutex(State())
  private let otherFetches = QueryShape(entity: 0, kind: .fetch, text: QueryShape.othersText)
  private let otherCounts = QueryShape(entity: 0, kind: .count, text: QueryShape.othersText)

  /// How many are kept.
  var count: Int { state.withLock { $0.shapes.count } }

  func find(_ sql: String, _ kind: QueryShape.Kind, schemaVersion: UInt32) -> Found {
    state.withLock { state in
      if schemaVersion > state.schemaVersion { state = State(schemaVersion: schemaVersion) }
      // A snapshot of before the change: nobody will ask for its shapes again.
      if schemaVersion < state.schemaVersion { return .shape(others(kind)) }
      if let shape = state.shapes[sql] { return .shape(shape) }
      return state.isFull ? .shape(others(kind)) : .room
    }
  }

  /// Keeps a shape; gives the one to use, should another reader have met it meanwhile.
  func keep(_ shape: QueryShape, for sql: String) -> QueryShape {
    state.withLock { state in
      guard shape.schemaVersion == state.schemaVersion else { return others(shape.kind) }
      if let known = state.shapes[sql] { return known }
      if state.isFull { return others(shape.kind) }
      state.shapes[sql] = shape
      // The SQL is in the shape and in the key, but its bytes are there once.
      state.byteCount += shape.byteCount
      return shape
    }
  }

  private func others(_ kind: QueryShape.Kind) -> QueryShape {
    kind == .count ? otherCounts : otherFetches
  }
}

extension QueryShape {
  /// About what it takes in memory.
  fileprivate var byteCount: Int {
    plan.reduce(256 + text.utf8.count + sql.utf8.count) { $0 + $1.utf8.count + 32 }
  }
}
