import RoostClient
import RoostModel

/// What a run works on: an entity, the rows it reads, the rows it writes.
struct LoadTarget: Sendable {
  var summary: TargetSummary
  var entity: EntityID = 0
  var schemaVersion: UInt32 = 0
  var keys = KeySpace()
  var writes: WriteSet?
  var lookups = LookupKeys()
  /// The entity's schema and the maker of rows, when the run makes some.
  var made: (entity: EntitySchema, maker: RowMaker)?
  /// Rows of the run's own that were there before the first request.
  var ownRows = 0
}

/// Asks a server what there is to read and write.
struct TargetDiscovery {
  let client: RoostClient
  let options: LoadOptions
  /// Hears what takes its time.
  let progress: (String) -> Void

  func discover() async throws(LoadError) -> LoadTarget {
    var target = LoadTarget(summary: TargetSummary(url: options.url))
    if options.mix.operations.allSatisfy({ !$0.needsEntity }), !options.makesRows {
      return target
    }
    var schema = try await asking { () throws(ClientError) in try await client.schema() }
    if options.makesRows, options.entity == nil { schema = try await withOwnEntity(schema) }
    var (entity, rows) = try await choose(from: schema)
    target.entity = entity.id
    target.schemaVersion = schema.version
    target.summary.entity = entity.name
    if let file = options.data?.file {
      progress("reading \(file)")
      try await FileRows(client: client, schema: schema, entity: entity, file: file).load()
      rows = try await count(entity)
    }
    if options.makesRows { rows = try await prepare(entity, schema.version, rows, &target) }
    let needsRows = options.mix.operations.contains { $0.needsRows }
    if !needsRows { return target }
    progress("reading the identifiers of \(Figures.grouped(rows)) rows of \(entity.name)")
    target.keys = try await keys(of: entity)
    target.summary.rows = target.keys.count
    target.summary.isTruncated = target.keys.isTruncated
    if target.keys.isEmpty { throw noRows(entity.name) }
    if options.mix.contains(.lookup) { target.lookups = try await lookups(of: entity, target.keys) }
    if options.mix.contains(.write) {
      let writes = try await writes(of: entity, target.keys)
      target.writes = writes
      target.summary.writes =
        "\(entity.name).\(writes.property.name) of \(Figures.grouped(writes.count)) rows"
    }
    return target
  }

  // MARK: Entity

  private func choose(
    from schema: StoreSchema
  ) async throws(LoadError) -> (entity: EntitySchema, rows: Int) {
    let own = options.makesRows ? DataPlan.ownEntity : nil
    if let name = options.entity ?? own {
      let entity = try named(name, in: schema)
      return (entity, try await count(entity))
    }
    var best: (entity: EntitySchema, rows: Int)?
    for entity in schema.entities {
      let rows = try await count(entity)
      if rows > best?.rows ?? -1 { best = (entity, rows) }
    }
    guard let best else {
      throw LoadError("the store has no entities: import something first", .failed)
    }
    return best
  }

  // MARK: Rows of the run's own

  private func withOwnEntity(_ schema: StoreSchema) async throws(LoadError) -> StoreSchema {
    if schema.entity(named: DataPlan.ownEntity) != nil { return schema }
    return try await asking { () throws(ClientError) in
      try await client.register(StoreSchema(entities: [OwnData.itemSchema]), mode: .apply).schema
    }
  }

  /// Gives how many rows there are afterwards.
  private func prepare(
    _ entity: EntitySchema, _ version: UInt32, _ rows: Int, _ target: inout LoadTarget
  ) async throws(LoadError) -> Int {
    let plan = options.data ?? DataPlan(rows: 0)
    // Runs at once, or after one that was killed, do not meet; rows that stay are found again.
    let tag = UInt64.random(in: 1..<(1 << 15))
    let maker = try RowMaker(entity, tag: tag, textBytes: plan.textBytes)
    target.made = (entity, maker)
    guard rows < plan.rows else { return rows }
    progress("making \(Figures.grouped(plan.rows)) rows of \(entity.name)")
    let filler = plan.keeps ? try RowMaker(entity, tag: 0, textBytes: plan.textBytes) : maker
    let data = OwnData(client: client, entity: entity, schemaVersion: version, maker: filler)
    try await data.fill(plan.rows)
    if !plan.keeps { target.ownRows = try await data.count() }
    return try await count(entity)
  }

  private func lookups(
    of entity: EntitySchema, _ keys: KeySpace
  ) async throws(LoadError) -> LookupKeys {
    let parts = (entity.uniqueConstraints.first ?? []).compactMap { entity.property(named: $0) }
    guard let first = parts.first else {
      throw LoadError(
        "\(entity.name) has no unique constraint for lookup: use get, or another --entity",
        .wrongCall)
    }
    let rows = sample(keys, atMost: LoadLimits.lookupKeysMax)
    var columns: [[Int64: Value]] = []
    for part in parts {
      columns.append(
        try await RowValues(client: client, entity: entity.id, property: part.id).read(rows))
    }
    var found = LookupKeys(constraint: parts.map(\.id))
    for row in rows {
      var key: [Value] = []
      for column in columns {
        if let value = column[row], value != .null { key.append(value) }
      }
      if key.count == parts.count { found.keys.append(key) }
    }
    guard !found.keys.isEmpty else {
      throw LoadError("no row of \(entity.name) has a \(first.name) to look up", .failed)
    }
    return found
  }

  // MARK: Names

  private func named(_ name: String, in schema: StoreSchema) throws(LoadError) -> EntitySchema {
    if let entity = schema.entity(named: name) { return entity }
    let names = schema.entities.map(\.name)
    let hint = Spelling.nearest(to: name, in: names).map { "; did you mean \($0)?" }
    let known = names.isEmpty ? ": the store has none" : ": there are \(Spelling.list(names))"
    throw LoadError("there is no entity \(name)" + (hint ?? known), .wrongCall)
  }

  private func count(_ entity: EntitySchema) async throws(LoadError) -> Int {
    try await asking { () throws(ClientError) in
      try await client.count(Query(entity: entity.id))
    }
  }

  private func noRows(_ name: String) -> LoadError {
    LoadError("\(name) has no rows: import something first", .failed)
  }

  // MARK: Rows

  private func keys(of entity: EntitySchema) async throws(LoadError) -> KeySpace {
    var keys = KeySpace()
    let query = Query(entity: entity.id, selection: .properties([]))
    var batches = client.fetch(query).makeAsyncIterator()
    while let batch = try await next(&batches) {
      try reading { () throws(PackedError) in
        try batch.eachRow { reader throws(PackedError) in
          if case .int(let row) = try reader.value() { keys.append(row) }
        }
      }
      if keys.isTruncated { break }
    }
    return keys
  }

  private func next(
    _ batches: inout RowStream.Iterator
  ) async throws(LoadError) -> RowBatch? {
    do throws(ClientError) {
      return try await batches.next()
    } catch {
      throw LoadError(error)
    }
  }

  private func writes(
    of entity: EntitySchema, _ keys: KeySpace
  ) async throws(LoadError) -> WriteSet {
    let candidates = Variation.candidates(of: entity)
    let rows = sample(keys, atMost: LoadLimits.writeRowsMax)
    for property in candidates.prefix(LoadLimits.writeCandidatesMax) {
      // A row that changes while we read is newer than this, so that no write overwrites it.
      let revision = try await lastCommit()
      let values = try await RowValues(client: client, entity: entity.id, property: property.id)
        .read(rows)
      let samples = rows.compactMap { row in values[row].map { (row: row, value: $0) } }
      let set = WriteSet(
        entity: entity.id, property: property, samples: samples, revision: revision)
      if let set { return set }
    }
    let names = candidates.prefix(LoadLimits.writeCandidatesMax).map(\.name)
    let tried = names.isEmpty ? "it has none that is no key" : "tried \(Spelling.list(names))"
    throw LoadError(
      "no attribute of \(entity.name) can be written without harm: \(tried). "
        + "Choose another --entity or a --mix without write", .wrongCall)
  }

  private func lastCommit() async throws(LoadError) -> UInt64 {
    try await asking { () throws(ClientError) in try await client.health().lastCommit }
  }

  /// Rows spread evenly over all that exist.
  private func sample(_ keys: KeySpace, atMost most: Int) -> [Int64] {
    var random = RandomSource(seed: options.seed, stream: .max)
    let count = min(UInt64(most), keys.count)
    let stride = max(1, keys.count / max(1, count))
    return (0..<count).compactMap { keys.row(at: $0 * stride + random.below(stride)) }
  }
}

/// Runs a call and says its error as the program's.
func asking<Answer>(
  _ call: () async throws(ClientError) -> Answer
) async throws(LoadError) -> Answer {
  do throws(ClientError) {
    return try await call()
  } catch {
    throw LoadError(error)
  }
}

/// Reads a reply whose faults are the server's.
func reading(_ body: () throws(PackedError) -> Void) throws(LoadError) {
  do throws(PackedError) {
    try body()
  } catch {
    throw LoadError("the server's rows cannot be read: \(error)", .failed)
  }
}
