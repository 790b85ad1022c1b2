import RoostModel

/// A unique constraint by columns.
struct ConstraintLayout: Sendable {
  let ids: [PropertyID]
  /// Indexes into the entity's columns.
  let columns: [Int]
}

/// A table of pairs: a many-to-many, or a to-many that has no other side.
struct JoinLayout: Hashable, Sendable {
  /// All three quoted.
  let table: String
  let ownColumn: String
  let otherColumn: String
  let other: EntityID
  /// A relationship that is its own inverse: each pair is kept both ways.
  let isSymmetric: Bool

  /// The same pairs seen from the other side.
  func reversed(other: EntityID) -> JoinLayout {
    JoinLayout(
      table: table, ownColumn: otherColumn, otherColumn: ownColumn, other: other,
      isSymmetric: isSymmetric)
  }
}

/// Where the rows of a to-many are found.
enum ToManyLayout: Sendable {
  /// The rows of an entity whose to-one points here.
  case inverse(EntityID, PropertyID)
  case join(JoinLayout)
}

/// What a delete of a row has to do to others, one step a relationship.
enum DeleteStep: Sendable {
  /// A to-one of the row itself.
  case target(column: Int, rule: RelationshipDeleteRule)
  /// Rows whose to-one points here.
  case referrers(EntityID, PropertyID, rule: RelationshipDeleteRule, property: String)
  case pairs(JoinLayout, rule: RelationshipDeleteRule, property: String)
}

/// How one entity stands in the file.
final class EntityLayout: Sendable {
  let schema: EntitySchema
  /// Quoted.
  let table: String
  let columns: [ColumnLayout]
  let toMany: [PropertyID: ToManyLayout]
  let constraints: [ConstraintLayout]
  let deleteSteps: [DeleteStep]
  private let indexes: [PropertyID: Int]

  init(
    schema: EntitySchema, table: String, columns: [ColumnLayout],
    toMany: [PropertyID: ToManyLayout], deleteSteps: [DeleteStep]
  ) {
    self.schema = schema
    self.table = table
    self.columns = columns
    self.toMany = toMany
    self.deleteSteps = deleteSteps
    var indexes: [PropertyID: Int] = [:]
    for (index, column) in columns.enumerated() { indexes[column.id] = index }
    self.indexes = indexes
    allProperties = [0] + columns.map(\.id)
    allColumns = [.rowID] + columns.map { ResultColumn($0) }
    let names = [#""_pk""#] + columns.map(\.sql)
    allColumnsSQL = names.map { "\(SQLGenerator.rootAlias).\($0)" }.joined(separator: ",")
    constraints = schema.uniqueConstraints.map { names in
      let ids = names.compactMap { schema.property(named: $0)?.id }
      return ConstraintLayout(ids: ids, columns: ids.compactMap { indexes[$0] })
    }
  }

  var id: EntityID { schema.id }
  var name: String { schema.name }

  func index(of property: PropertyID) -> Int? { indexes[property] }

  func column(_ property: PropertyID) -> ColumnLayout? { indexes[property].map { columns[$0] } }

  /// The identifier and all columns, which is what a row holds.
  let allProperties: [PropertyID]
  let allColumns: [ResultColumn]
  /// The same as a query selects them from its root.
  let allColumnsSQL: String

  func constraint(_ ids: [PropertyID]) -> ConstraintLayout? {
    constraints.first { $0.ids == ids }
  }

  /// `ident`, or `carrier, flight, time_hour`: a constraint in messages.
  func describe(_ constraint: ConstraintLayout) -> String {
    constraint.columns.map { columns[$0].name }.joined(separator: ", ")
  }
}
