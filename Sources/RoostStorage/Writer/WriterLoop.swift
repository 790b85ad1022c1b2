import Dispatch
import RoostModel
import Synchronization
import RoostSQLite

/// The life of the writer's thread: takes what waits into one transaction, commits it, tells the
/// feeds, then those who asked.
///
/// Confined to its thread after ``run()`` has begun.
final class WriterLoop {
  private var core: WriterCore
  private let queue: RequestQueue
  private let shared: StoreShared
  private var files: WriterFiles
  private var group: CommitGroup
  /// The number of the last commit in the file.
  private var lastCommit: UInt64
  private var held: WriterRequest?
  private var lastImport = DispatchTime(uptimeNanoseconds: 0)
  /// The connection is lost; the next request tries to open another.
  private var isBroken = false {
    didSet { shared.tally.count { $0.isWriterBroken = isBroken } }
  }

  init(
    _ core: WriterCore, _ queue: RequestQueue, _ shared: StoreShared, lastCommit: UInt64
  ) {
    self.core = core
    self.queue = queue
    self.shared = shared
    self.lastCommit = lastCommit
    files = WriterFiles(shared)
    group = CommitGroup(lastCommit: lastCommit)
    files.attach(core.connection)
  }

  func run() {
    while true {
      switch queue.take(milliseconds: files.idleMilliseconds) {
      case .request(let request): runGroups(request)
      case .timeout: working { files.idle(core.connection) }
      case .closed: return finish()
      }
    }
  }

  private func runGroups(_ first: WriterRequest) {
    working {
      var next: WriterRequest? = first
      while let request = next {
        runGroup(request)
        next = held
        held = nil
      }
      files.afterGroup(core.connection)
    }
  }

  /// Counts the time of what the writer does as work.
  private func working(_ body: () -> Void) {
    shared.tally.count { $0.beginWork($1) }
    body()
    shared.tally.count { $0.endWork($1) }
  }

  // MARK: One group

  private func runGroup(_ first: WriterRequest) {
    group = CommitGroup(lastCommit: lastCommit)
    shared.tally.count { $0.groupBegan = $1 }
    do throws(StoreError) {
      try reopenIfBroken()
      try core.run("BEGIN IMMEDIATE")
    } catch {
      note(error)
      countFailed(1)
      first.fail(error)
      return
    }
    var next: WriterRequest? = first
    while let request = next {
      group.taken.append(request)
      process(request)
      if group.mustRestart { restart() }
      next = group.isLost ? nil : following(request)
    }
    guard group.isLost else { return commit() }
    // Lost to the group, but perhaps still open: the next one could not begin.
    rollBack()
    failGroup(group.lossError)
  }

  /// Runs the group's requests again, each in a savepoint, because a chunk without one failed.
  ///
  /// A savepoint makes SQLite copy every page a chunk touches, which costs as much as the rows;
  /// chunks hardly ever fail as a whole, so that doing all again then is cheaper.
  private func restart() {
    let requests = group.taken
    rollBack()
    core.keyCache.removeAll()
    group = CommitGroup(lastCommit: lastCommit)
    group.taken = requests
    group.isCareful = true
    do throws(StoreError) {
      try core.run("BEGIN IMMEDIATE")
    } catch {
      note(error)
      for request in requests { group.onEnd { request.fail($0 ?? error) } }
      group.lossError = error
      group.isLost = true
      return
    }
    for request in requests {
      if group.isLost {
        group.onEnd { request.fail($0 ?? Self.lostError) }
      } else {
        process(request)
      }
    }
  }

  /// The next request of this group, if there is one and room for it.
  private func following(_ request: WriterRequest) -> WriterRequest? {
    if case .register = request { return nil }
    if group.rows >= StorageLimits.groupRowsMax { return nil }
    let millisecondsMax =
      group.hasWrites ? StorageLimits.groupMilliseconds : StorageLimits.chunkGroupMilliseconds
    if group.milliseconds >= millisecondsMax { return nil }
    guard let next = queue.takeIfReady() ?? linger() else { return nil }
    if case .register = next {
      // A schema changes alone.
      held = next
      return nil
    }
    return next
  }

  /// A running import's next chunk is about to come: larger transactions cost less a row.
  private func linger() -> WriterRequest? {
    guard group.hasChunks, !group.hasWrites, group.rows < StorageLimits.lingerRows,
      group.begun.uptimeNanoseconds < lastImport.uptimeNanoseconds + 200_000_000
    else { return nil }
    let left = StorageLimits.lingerMilliseconds - group.milliseconds
    guard left > 0 else { return nil }
    shared.tally.count { $0.endWork($1) }
    defer { shared.tally.count { $0.beginWork($1) } }
    guard case .request(let request) = queue.take(milliseconds: left) else { return nil }
    return request
  }

  private func process(_ request: WriterRequest) {
    group.requests += 1
    switch request {
    case .write(let batch, let completion): write(batch, completion)
    case .chunk(let chunk, let descriptor, let completion): take(chunk, descriptor, completion)
    case .beginImport(let descriptor, let completion):
      let result = inSavepoint { () throws(StoreError) in
        try self.core.beginImport(descriptor)
      }
      group.importsBegun += 1
      group.onEnd { completion($0.map { .failure($0) } ?? result) }
    case .register(let schema, let completion): register(schema, completion)
    case .reserve(let entity, let count, let completion):
      let rows = shared.allocator.allocateUncommitted(entity, count)
      group.touched.insert(entity)
      let missing = StoreError(.notFound, .unknownEntity, "there is no entity \(entity)")
      group.onEnd { error in
        completion(error.map { .failure($0) } ?? rows.map { .success($0) } ?? .failure(missing))
      }
    }
  }

  private func write(
    _ batch: WriteBatch, _ completion: @escaping @Sendable (Result<WriteResult, StoreError>) -> Void
  ) {
    group.hasWrites = true
    let commit = group.lastCommit + 1
    core.recorder.begin()
    let result = inSavepoint { () throws(StoreError) in
      try self.core.apply(batch, commit: commit)
    }
    switch result {
    case .success(let results):
      group.rows += results.count
      group.add(core.recorder.changes(), commit: commit, author: batch.author)
      let reply = WriteResult(commit: group.lastCommit, results: results)
      group.onEnd { completion($0.map { .failure($0) } ?? .success(reply)) }
    case .failure(let error):
      group.failedRequests += 1
      group.onEnd { _ in completion(.failure(error)) }
    }
  }

  private func take(
    _ chunk: ImportChunk, _ descriptor: ImportDescriptor,
    _ completion: @escaping @Sendable (Result<ImportAcknowledgement, StoreError>) -> Void
  ) {
    group.hasChunks = true
    let commit = group.lastCommit + 1
    core.recorder.begin()
    let body = { () throws(StoreError) -> ChunkOutcome in
      try self.core.take(
        chunk, of: descriptor, commit: commit, lastCommit: self.group.lastCommit)
    }
    guard let result = group.isCareful ? inSavepoint(body, keep: { !$0.isRefused }) : plainly(body)
    else {
      group.mustRestart = true
      return
    }
    switch result {
    case .success(var outcome):
      if outcome.isRefused {
        core.end(descriptor, at: chunk.number)
        outcome.acknowledgement.commit = group.lastCommit
      } else if !outcome.acknowledgement.isDuplicate {
        group.rows += chunk.rows.rowCount
        group.add(core.recorder.changes(), commit: commit, author: nil)
        outcome.acknowledgement.commit = group.lastCommit
      }
      let reply = outcome.acknowledgement
      group.count(reply)
      group.onEnd { completion($0.map { .failure($0) } ?? .success(reply)) }
    case .failure(let error):
      group.failedRequests += 1
      group.onEnd { _ in completion(.failure(error)) }
    }
  }

  private func register(
    _ schema: StoreSchema,
    _ completion: @escaping @Sendable (Result<SchemaRegistration, StoreError>) -> Void
  ) {
    let before = core.layout
    let result = inSavepoint { () throws(StoreError) in
      try SchemaRegistrar(connection: self.core.connection, layout: before).apply(schema)
    }
    switch result {
    case .success(let (layout, registration)):
      if !registration.differences.isEmpty {
        group.layout = layout
        group.addSchemaChange(commit: group.lastCommit + 1)
      }
      group.onEnd { completion($0.map { .failure($0) } ?? .success(registration)) }
    case .failure(let error):
      group.failedRequests += 1
      group.onEnd { _ in completion(.failure(error)) }
    }
  }

  /// Runs a request so that it leaves nothing behind if it fails or is not to be kept.
  private func inSavepoint<Outcome>(
    _ body: () throws(StoreError) -> Outcome, keep: (Outcome) -> Bool = { _ in true }
  ) -> Result<Outcome, StoreError> {
    do throws(StoreError) {
      try core.run("SAVEPOINT request")
      let outcome = try body()
      if !keep(outcome) { try takeBack() }
      try core.run("RELEASE request")
      return .success(outcome)
    } catch {
      note(error)
      if core.connection.isInTransaction {
        do throws(StoreError) {
          try takeBack()
          try core.run("RELEASE request")
        } catch {
          group.lossError = error
          group.isLost = true
        }
      } else {
        // SQLite took the whole transaction back: a full disk, an I/O error, no memory.
        group.lossError = error
        group.isLost = true
      }
      return .failure(error)
    }
  }

  /// Runs a chunk without a savepoint; nil if it must be taken back.
  private func plainly(
    _ body: () throws(StoreError) -> ChunkOutcome
  ) -> Result<ChunkOutcome, StoreError>? {
    do throws(StoreError) {
      let outcome = try body()
      return outcome.isRefused ? nil : .success(outcome)
    } catch {
      return nil
    }
  }

  private func takeBack() throws(StoreError) {
    core.keyCache.removeAll()
    core.recorder.expectNothing()
    try core.run("ROLLBACK TO request")
  }

  // MARK: Its end

  private func commit() {
    let marks: [EntityID: Int64]
    do throws(StoreError) {
      marks = try writeFigures()
    } catch {
      note(error)
      rollBack()
      return failGroup(error)
    }
    do {
      group.commitNanoseconds = try files.commit(core)
    } catch {
      return commitFailed(error)
    }
    lastCommit = group.lastCommit
    for (entity, mark) in marks { shared.allocator.didCommit(entity, mark: mark) }
    if let layout = group.layout {
      for entity in layout.schema.entities { shared.allocator.add(entity.id) }
      core.use(layout)
      shared.layout = layout
    }
    count()
    if !group.changes.isEmpty { shared.feeds.publish(group.changes, latestCommit: lastCommit) }
    if group.hasChunks { lastImport = .now() }
    group.end(nil)
  }

  /// Numbers that must be as durable as the rows they count.
  private func writeFigures() throws(StoreError) -> [EntityID: Int64] {
    var marks: [EntityID: Int64] = [:]
    core.recorder.expectNothing()
    if group.lastCommit != lastCommit {
      try set("commit", Int64(bitPattern: group.lastCommit))
    }
    for entity in group.touched {
      if let mark = shared.allocator.markToCommit(entity) {
        try set(StoreFormat.nextRowKey(entity), mark)
        marks[entity] = mark
      }
    }
    for (entity, change) in group.rowChanges where change.added != 0 {
      try set(StoreFormat.rowsKey(entity), Int64(shared.tally.rows(entity) + change.added))
    }
    return marks
  }

  private func set(_ key: String, _ value: Int64) throws(StoreError) {
    let statement = try core.statement(
      #"INSERT INTO "_roost"(key, value) VALUES(?1, ?2) ON CONFLICT DO UPDATE SET value=?2"#)
    try sqlite { () throws(SQLiteError) in
      try statement.bind(1, key)
      statement.bind(2, value)
      try statement.run()
    }
  }

  private func count() {
    let group = group
    let frames = files.walFrames
    let statements = core.takeStatementFigures()
    shared.tally.count { counters in
      group.add(to: &counters)
      counters.noteWAL(frames: frames)
      counters.endGroup(statements)
    }
  }

  /// Counts requests of a transaction that did not come to be, or was lost.
  private func countFailed(_ requests: Int) {
    let statements = core.takeStatementFigures()
    shared.tally.count { counters in
      counters.requests += requests
      counters.failedRequests += requests
      counters.endGroup(statements)
    }
  }

  private func commitFailed(_ error: SQLiteError) {
    rollBack()
    if error.isFull || error.isBusy {
      let error = StoreError(error)
      note(error)
      return failGroup(error)
    }
    // The commit may have reached the disk: nobody can say before the file is read anew.
    isBroken = true
    let unknown = StoreError(
      .internal, .outcomeUnknown, "the outcome of the commit is unknown", cause: error.description)
    note(unknown)
    shared.tally.count { $0.outcomesUnknown += 1 }
    failGroup(unknown)
  }

  private func rollBack() {
    if core.connection.isInTransaction { try? core.run("ROLLBACK") }
  }

  private func failGroup(_ error: StoreError?) {
    core.keyCache.removeAll()
    core.dropStatements()
    countFailed(group.taken.count)
    group.end(error ?? Self.lostError)
  }

  private static var lostError: StoreError {
    StoreError(.internal, .invariant, "the transaction was lost")
  }

  private func reopenIfBroken() throws(StoreError) {
    guard isBroken else { return }
    let connection = try WriterFiles.open(shared.path, shared.durability, isMemory: shared.isMemory)
    let layout = try Catalog(connection: connection).load()
    let figures = try StoredFigures(connection, layout)
    core = WriterCore(connection, shared, layout)
    files.attach(connection)
    if figures.commit > lastCommit { adopt(figures, layout) }
    group = CommitGroup(lastCommit: lastCommit)
    isBroken = false
  }

  /// The commits of unknown outcome did happen, and nobody was told what they changed.
  private func adopt(_ figures: StoredFigures, _ layout: StoreLayout) {
    lastCommit = figures.commit
    for entity in layout.schema.entities { shared.allocator.add(entity.id) }
    shared.layout = layout
    shared.tally.count { $0.rows = figures.rows }
    shared.feeds.loseTrack(latestCommit: lastCommit)
  }

  private func note(_ error: StoreError) {
    switch error.status {
    case .internal, .dataLoss, .resourceExhausted, .unavailable:
      shared.tally.count { counters in
        counters.lastError = error.cause.map { "\(error.message): \($0)" } ?? error.message
        if error.status == .unavailable { counters.busy += 1 }
      }
    default: break
    }
  }

  private func finish() {
    if !isBroken {
      // A clean close gives back the identifiers that were reserved but not used.
      for (entity, next) in shared.allocator.next {
        try? set(StoreFormat.nextRowKey(entity), next)
      }
    }
    core.dropStatements()
    files.close(core.connection)
  }
}
