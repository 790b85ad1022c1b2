import RoostModel
import RoostStorage
import RoostTransport

/// Figures of every shape of query since the server was made, within a bound.
struct ShapeTable {
  /// Shapes kept; for one more, that which was called least recently goes.
  ///
  /// As many as a store tells apart, and its two for all others: else queries that come in turn
  /// would throw each other out.
  static let shapesMax = StorageLimits.shapesMax + QueryShape.Kind.allCases.count

  private struct Name: Hashable {
    var kind: QueryShape.Kind
    var entity: EntityID
    var text: String
  }

  private var figures: [ShapeFigures] = []
  private var places: [QueryShape: Int] = [:]
  private var names: [Name: Int] = [:]
  private let opened: LoopInstant

  /// A table that is empty since `opened`: rates count from there.
  init(opened: LoopInstant) { self.opened = opened }

  var count: Int { figures.count }

  /// - Complexity: O(1), but O(shapes) for a new one when there is no room.
  mutating func add(_ query: EndedQuery, text: () -> String) {
    let place = places[query.cost.shape] ?? adopt(query.cost.shape)
    figures[place].add(query, text: text)
  }

  /// The figures of shapes, those that took most time first.
  mutating func dearest(_ limit: Int, now: LoopInstant) -> [(ShapeFigures, perSecond: Double)] {
    let order = figures.indices.sorted {
      (figures[$0].totalNanoseconds, figures[$1].calls)
        > (figures[$1].totalNanoseconds, figures[$0].calls)
    }
    var dearest: [(ShapeFigures, perSecond: Double)] = []
    for place in order.prefix(limit) {
      let rate = figures[place].callsPerSecond(now)
      dearest.append((figures[place], rate))
    }
    return dearest
  }

  /// The place of a shape met for the first time: its own, or that of the same words before a
  /// change of the schema.
  private mutating func adopt(_ shape: QueryShape) -> Int {
    let name = Name(kind: shape.kind, entity: shape.entity, text: shape.text)
    if let place = names[name] {
      places[figures[place].shape] = nil
      places[shape] = place
      return place
    }
    if figures.count >= ShapeTable.shapesMax { dropOldest() }
    let place = figures.count
    figures.append(ShapeFigures(shape, since: opened))
    places[shape] = place
    names[name] = place
    return place
  }

  private mutating func dropOldest() {
    guard let oldest = figures.indices.min(by: { figures[$0].last.ended < figures[$1].last.ended })
    else { return }
    figures.remove(at: oldest)
    places.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    for (place, figures) in figures.enumerated() {
      let shape = figures.shape
      places[shape] = place
      names[Name(kind: shape.kind, entity: shape.entity, text: shape.text)] = place
    }
  }
}
