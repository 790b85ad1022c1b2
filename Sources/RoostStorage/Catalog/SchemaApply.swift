import RoostModel
import RoostSQLite

/// Brings the file's tables from one layout to the next, inside the caller's transaction.
struct SchemaApply {
  let connection: Connection
  let old: StoreLayout
  let merge: SchemaMerge

  /// Carries it out and gives the layout that holds from then on.
  func run() throws(StoreError) -> StoreLayout {
    let names = try chooseNames()
    let layout = StoreLayout(schema: merge.schema, names: names)
    for (entity, property) in merge.renamed { try rename(entity, property, names) }
    for entity in layout.all {
      if let before = old.find(entity.id) {
        try extend(entity, since: before)
      } else {
        try create(entity)
      }
    }
    for entity in layout.all { try createJoins(entity, since: old.find(entity.id)) }
    try sqlite { () throws(SQLiteError) in
      let catalog = Catalog(connection: connection)
      for entity in layout.all { try catalog.write(entity.schema, names: names) }
      try catalog.set("schema version", Int64(merge.schema.version))
      try catalog.set("next entity", Int64(merge.entityAfter))
    }
    for entity in layout.all { try createKeys(entity, since: old.find(entity.id)?.schema) }
    return layout
  }

  // MARK: Names

  private func chooseNames() throws(StoreError) -> PhysicalNames {
    var names = old.names
    var tables = try indexNames().union(names.tables.values.map(Names.key))
    for entity in merge.schema.entities where names.tables[entity.id] == nil {
      let name = Names.free(entity.name, taken: tables, isTable: true)
      tables.insert(Names.key(name))
      names.tables[entity.id] = name
    }
    let builder = LayoutBuilder(schema: merge.schema, names: names)
    for entity in merge.schema.entities {
      for property in entity.properties where !property.isColumn {
        if let name = names.properties[entity.id]?[property.id] { tables.insert(Names.key(name)) }
      }
    }
    for entity in merge.schema.entities {
      var stored = names.properties[entity.id] ?? [:]
      for (renamedEntity, property) in merge.renamed where renamedEntity == entity.id {
        stored[property] = nil
      }
      chooseColumns(entity, &stored)
      for property in entity.properties where stored[property.id] == nil {
        guard ownsPairs(property, entity, builder) else { continue }
        let name = Names.free("\(entity.name)_\(property.name)", taken: tables, isTable: true)
        tables.insert(Names.key(name))
        stored[property.id] = name
      }
      names.properties[entity.id] = stored
    }
    return names
  }

  private func chooseColumns(_ entity: EntitySchema, _ stored: inout [PropertyID: String]) {
    var taken = Set<String>()
    for property in entity.properties where property.isColumn {
      if let name = stored[property.id] { taken.insert(Names.key(name)) }
    }
    for property in entity.properties where property.isColumn && stored[property.id] == nil {
      let wish = property.attributeType == nil ? property.name + "_pk" : property.name
      let name = Names.free(wish, taken: taken, isTable: false)
      taken.insert(Names.key(name))
      stored[property.id] = name
    }
  }

  private func ownsPairs(
    _ property: PropertySchema, _ entity: EntitySchema, _ builder: LayoutBuilder
  ) -> Bool {
    guard property.relationship?.isToMany == true else { return false }
    guard let inverse = builder.inverse(of: property),
      let destination = merge.schema.destination(of: property)
    else { return true }
    if inverse.isColumn { return false }
    let isSelf = destination.id == entity.id && inverse.id == property.id
    return isSelf || builder.owns(entity.id, property.id, beside: destination.id, inverse.id)
  }

  // MARK: Tables

  private func create(_ entity: EntityLayout) throws(StoreError) {
    var sql = #"CREATE TABLE \#(entity.table)("_pk" INTEGER PRIMARY KEY, "_rev" INTEGER"#
    for column in entity.columns { sql += ", \(column.sql)\(column.kind.declaration)" }
    try execute(sql + ")")
    for column in entity.columns where column.kind == .reference {
      try createReferenceIndex(entity, column)
    }
    try sqlite { () throws(SQLiteError) in
      let catalog = Catalog(connection: connection)
      try catalog.set(StoreFormat.rowsKey(entity.id), 0)
      try catalog.set(StoreFormat.nextRowKey(entity.id), 1)
    }
  }

  private func extend(_ entity: EntityLayout, since before: EntityLayout) throws(StoreError) {
    for column in entity.columns where before.index(of: column.id) == nil {
      try execute(
        "ALTER TABLE \(entity.table) ADD COLUMN \(column.sql)\(column.kind.declaration)")
      if column.kind == .reference { try createReferenceIndex(entity, column) }
      if let value = column.property.defaultValue, !value.isNull {
        try fill(entity, column, value)
      } else if column.isRequired {
        try refuseIfRows(entity, column)
      }
    }
  }

  private func fill(
    _ entity: EntityLayout, _ column: ColumnLayout, _ value: Value
  ) throws(StoreError) {
    let statement = try sqlite { () throws(SQLiteError) in
      try connection.take("UPDATE \(entity.table) SET \(column.sql) = ?")
    }
    defer { connection.giveBack(statement) }
    try ValueBinding.bind(value, to: statement, 1, column)
    try sqlite { () throws(SQLiteError) in try statement.run() }
  }

  private func refuseIfRows(_ entity: EntityLayout, _ column: ColumnLayout) throws(StoreError) {
    let row = try sqlite { () throws(SQLiteError) in
      try connection.integer("SELECT 1 FROM \(entity.table) LIMIT 1")
    }
    if row != nil {
      throw StoreError(
        .failedPrecondition, .schemaChanged,
        "\(entity.name).\(column.name) is required and has no default value, but there are rows")
    }
  }

  private func rename(
    _ entity: EntityID, _ property: PropertyID, _ names: PhysicalNames
  ) throws(StoreError) {
    guard let before = old.find(entity), let column = before.column(property),
      let name = names.properties[entity]?[property]
    else { return }
    try execute(
      "ALTER TABLE \(before.table) RENAME COLUMN \(column.sql) TO \(Names.quoted(name))")
  }

  private func createReferenceIndex(
    _ entity: EntityLayout, _ column: ColumnLayout
  ) throws(StoreError) {
    let name = try freeIndexName("\(entity.name)_\(column.name)")
    try execute("CREATE INDEX \(Names.quoted(name)) ON \(entity.table)(\(column.sql))")
  }

  private func createJoins(
    _ entity: EntityLayout, since before: EntityLayout?
  ) throws(StoreError) {
    for property in entity.schema.properties {
      guard case .join(let join)? = entity.toMany[property.id], before?.toMany[property.id] == nil,
        merge.schema.entities.isEmpty == false, owned(property, entity)
      else { continue }
      try execute(
        """
        CREATE TABLE \(join.table)(position INTEGER PRIMARY KEY, \(join.ownColumn) INTEGER NOT NULL,
          \(join.otherColumn) INTEGER NOT NULL, UNIQUE(\(join.ownColumn), \(join.otherColumn)))
        """)
      let name = try freeIndexName("\(entity.name)_\(property.name)_other")
      try execute("CREATE INDEX \(Names.quoted(name)) ON \(join.table)(\(join.otherColumn))")
    }
  }

  private func owned(_ property: PropertySchema, _ entity: EntityLayout) -> Bool {
    let builder = LayoutBuilder(schema: merge.schema, names: old.names)
    return ownsPairs(property, entity.schema, builder)
  }

  // MARK: Keys

  private func createKeys(
    _ entity: EntityLayout, since before: EntitySchema?
  ) throws(StoreError) {
    let uniqueBefore = before?.uniqueConstraints.count ?? 0
    for (position, names) in entity.schema.uniqueConstraints.enumerated()
    where position >= uniqueBefore {
      try createKey(entity, names, isUnique: true, position)
    }
    let indexesBefore = before?.indexes.count ?? 0
    for (position, names) in entity.schema.indexes.enumerated() where position >= indexesBefore {
      try createKey(entity, names, isUnique: false, position)
    }
  }

  private func createKey(
    _ entity: EntityLayout, _ names: [String], isUnique: Bool, _ position: Int
  ) throws(StoreError) {
    let ids = names.compactMap { entity.schema.property(named: $0)?.id }
    let columns = ids.compactMap { entity.column($0) }
    let wish = "\(entity.name)_\(names.joined(separator: "_"))" + (isUnique ? "_unique" : "_index")
    let name = try freeIndexName(wish)
    let list = columns.map(\.sql).joined(separator: ", ")
    do {
      try connection.execute(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(Names.quoted(name)) ON \(entity.table)(\(list))"
      )
    } catch  where error.isUniqueConflict {
      throw StoreError(
        .failedPrecondition, .schemaChanged,
        "\(entity.name): (\(names.joined(separator: ", "))) cannot be unique, rows share values")
    } catch {
      throw StoreError(error)
    }
    try sqlite { () throws(SQLiteError) in
      try Catalog(connection: connection).writeKey(
        ids, of: entity.id, isUnique: isUnique, at: position, index: name)
    }
  }

  /// Begins with an underscore, as no table of an entity or of pairs does: SQLite has one space of
  /// names for tables and indexes, and tables are made after some of the indexes.
  private func freeIndexName(_ wish: String) throws(StoreError) -> String {
    var name = "_\(wish)"
    var number = 2
    while try exists(name) {
      name = "_\(wish)_\(number)"
      number += 1
    }
    return name
  }

  /// Indexes of stores that were made when their names began like those of tables.
  private func indexNames() throws(StoreError) -> Set<String> {
    try sqlite { () throws(SQLiteError) in
      let statement = try connection.take("SELECT name FROM sqlite_schema WHERE type = 'index'")
      defer { connection.giveBack(statement) }
      var names: Set<String> = []
      while try statement.step() { names.insert(Names.key(statement.string(0))) }
      return names
    }
  }

  private func exists(_ name: String) throws(StoreError) -> Bool {
    try sqlite { () throws(SQLiteError) in
      let statement = try connection.take(
        "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE")
      defer { connection.giveBack(statement) }
      try statement.bind(1, name)
      return try statement.step()
    }
  }

  private func execute(_ sql: String) throws(StoreError) {
    try sqlite { () throws(SQLiteError) in try connection.execute(sql) }
  }
}
