import RoostModel
import RoostSQLite

/// What makes two writes run the same statement.
struct PlanKey: Hashable {
  enum Kind: Hashable {
    case insert
    case update
    /// Index of the entity's constraint; nil for whichever conflicts.
    case upsert(Int?)
    case ignore(Int?)
    case lookup(Int)
  }

  let kind: Kind
  let entity: EntityID
  let columns: [PropertyID]
}

/// A prepared write of one row with certain columns.
///
/// Parameter 1 is the identifier, 2 the commit, 3… the columns; defaults of columns that are not
/// named are bound once and stay. A lookup has its key from 1.
final class WritePlan {
  let entity: EntityLayout
  let columns: [ColumnLayout]
  let statement: Statement
  /// A column that a new row must have and that this write does not give.
  let missingRequired: ColumnLayout?
  let hasOneToOne: Bool
  /// Whether columns of another constraint than the one that finds the row may change.
  let changesOtherKeys: Bool

  init(_ key: PlanKey, _ entity: EntityLayout, _ connection: Connection) throws(StoreError) {
    self.entity = entity
    columns = try Self.columns(key.columns, entity)
    let named = Set(key.columns)
    let others = entity.columns.filter { !named.contains($0.id) }
    let defaults = others.filter { $0.property.defaultValue?.isNull == false }
    missingRequired = others.first { $0.isRequired && $0.property.defaultValue == nil }
    hasOneToOne = columns.contains { $0.toOneInverse != nil }
    changesOtherKeys = Self.changesOtherKeys(key, entity, named)
    let sql = PlanSQL(entity: entity, columns: columns, defaults: defaults).text(key.kind)
    statement = try sqlite { () throws(SQLiteError) in try connection.take(sql) }
    if key.kind.isInsert {
      for (index, column) in defaults.enumerated() {
        let value = column.property.defaultValue ?? .null
        try ValueBinding.bind(value, to: statement, 3 + columns.count + index, column)
      }
    }
  }

  private static func columns(
    _ ids: [PropertyID], _ entity: EntityLayout
  ) throws(StoreError) -> [ColumnLayout] {
    var columns: [ColumnLayout] = []
    var seen = Set<PropertyID>()
    for id in ids {
      guard let column = entity.column(id) else {
        let what = entity.schema.property(id).map { "\($0.name) is a to-many, not a column" }
        throw StoreError(
          .invalidArgument, .unknownColumn,
          "\(entity.name): \(what ?? "there is no property \(id)")")
      }
      guard seen.insert(id).inserted else {
        throw StoreError(
          .invalidArgument, .unknownColumn, "\(entity.name).\(column.name) is named twice")
      }
      columns.append(column)
    }
    return columns
  }

  private static func changesOtherKeys(
    _ key: PlanKey, _ entity: EntityLayout, _ named: Set<PropertyID>
  ) -> Bool {
    guard case .upsert(let target) = key.kind else { return key.kind == .update }
    for (index, constraint) in entity.constraints.enumerated() where index != target {
      if constraint.ids.contains(where: named.contains) { return target != nil || index > 0 }
    }
    return false
  }
}

extension PlanKey.Kind {
  var isInsert: Bool {
    switch self {
    case .insert, .upsert, .ignore: true
    case .update, .lookup: false
    }
  }
}

/// The text of a plan's statement.
struct PlanSQL {
  let entity: EntityLayout
  let columns: [ColumnLayout]
  let defaults: [ColumnLayout]

  func text(_ kind: PlanKey.Kind) -> String {
    switch kind {
    case .insert: insert
    case .ignore(let target): "\(insert) ON CONFLICT\(list(target)) DO NOTHING"
    case .upsert(let target): "\(insert) ON CONFLICT\(list(target)) \(change(target))"
    case .update:
      #"UPDATE \#(entity.table) SET "_rev"=?2"#
        + columns.enumerated().map { ",\($1.sql)=?\($0 + 3)" }.joined()
        + #" WHERE "_pk"=?1"#
    case .lookup(let index): lookup(index)
    }
  }

  private var insert: String {
    let all = columns + defaults
    let names = all.map { "," + $0.sql }.joined()
    let values = all.indices.map { ",?\($0 + 3)" }.joined()
    return #"INSERT INTO \#(entity.table)("_pk","_rev"\#(names)) VALUES(?1,?2\#(values))"#
  }

  private func list(_ target: Int?) -> String {
    guard let target else { return "" }
    let names = entity.constraints[target].columns.map { entity.columns[$0].sql }
    return "(\(names.joined(separator: ",")))"
  }

  /// Changes the named columns, and nothing at all where they hold the values already.
  private func change(_ target: Int?) -> String {
    let key = Set(target.map { entity.constraints[$0].ids } ?? [])
    let changed = columns.filter { !key.contains($0.id) }
    if changed.isEmpty { return "DO NOTHING" }
    let sets = changed.map { ",\($0.sql)=excluded.\($0.sql)" }.joined()
    let differs = changed.map { "\(entity.table).\($0.sql) IS NOT excluded.\($0.sql)" }
      .joined(separator: " OR ")
    return #"DO UPDATE SET "_rev"=excluded."_rev"\#(sets) WHERE \#(differs)"#
  }

  private func lookup(_ index: Int) -> String {
    let parts = entity.constraints[index].columns.enumerated().map {
      "\(entity.columns[$1].sql)=?\($0 + 1)"
    }
    return #"SELECT "_pk" FROM \#(entity.table) WHERE \#(parts.joined(separator: " AND "))"#
  }
}
