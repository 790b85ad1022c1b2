import Dispatch
import RoostModel

/// One transaction in the making: what it changes and whom to tell.
struct CommitGroup {
  /// The number of the last commit in it; each request that changes something takes the next.
  private(set) var lastCommit: UInt64
  private(set) var changes: [ChangeSet] = []
  private(set) var rowChanges: [EntityID: ChangeCounts] = [:]
  /// Entities whose identifiers were used.
  var touched: Set<EntityID> = []
  var layout: StoreLayout?
  var rows = 0
  var requests = 0
  var failedRequests = 0
  var importsBegun = 0
  var hasChunks = false
  var hasWrites = false
  /// What is in it, to do it again if a chunk fails.
  var taken: [WriterRequest] = []
  /// Every request has a savepoint of its own.
  var isCareful = false
  var mustRestart = false
  /// SQLite has taken the transaction back.
  var isLost = false
  var lossError: StoreError?
  let begun = DispatchTime.now()
  /// How long COMMIT took.
  var commitNanoseconds: UInt64 = 0

  private var chunks = 0
  private var duplicates = 0
  private var accepted = 0
  private var rejected = 0
  private var endings: [(StoreError?) -> Void] = []

  init(lastCommit: UInt64) { self.lastCommit = lastCommit }

  var microseconds: Int {
    Int((DispatchTime.now().uptimeNanoseconds - begun.uptimeNanoseconds) / 1_000)
  }

  var milliseconds: Int { microseconds / 1_000 }

  /// Takes a request's changes in under their number, if there are any.
  mutating func add(_ entities: [EntityChanges], commit: UInt64, author: String?) {
    if entities.isEmpty { return }
    lastCommit = commit
    changes.append(ChangeSet(commit: commit, entities: entities, author: author))
    for entity in entities {
      if !entity.inserted.isEmpty { touched.insert(entity.entity) }
      rowChanges[entity.entity, default: ChangeCounts()] += ChangeCounts(
        inserted: entity.inserted.count, updated: entity.updated.count,
        deleted: entity.deleted.count)
    }
  }

  mutating func addSchemaChange(commit: UInt64) {
    lastCommit = commit
    changes.append(ChangeSet(commit: commit, schemaChanged: true))
  }

  mutating func count(_ acknowledgement: ImportAcknowledgement) {
    chunks += 1
    if acknowledgement.isDuplicate {
      // Its rows were counted when they were taken.
      duplicates += 1
      return
    }
    accepted += acknowledgement.accepted
    rejected += acknowledgement.rejected
  }

  /// What to call when it is decided; nil means committed.
  mutating func onEnd(_ body: @escaping (StoreError?) -> Void) { endings.append(body) }

  mutating func end(_ error: StoreError?) {
    let endings = endings
    self.endings = []
    for ending in endings { ending(error) }
  }

  /// Counts it as committed.
  func add(to counters: inout StoreCounters) {
    counters.commits += changes.count
    counters.groups += 1
    counters.requests += requests
    counters.failedRequests += failedRequests
    counters.importsBegun += importsBegun
    for (entity, change) in rowChanges {
      counters.rows[entity, default: 0] += change.added
      counters.changes[entity, default: ChangeCounts()] += change
      counters.changed += change
    }
    counters.commitTimes.record(nanoseconds: commitNanoseconds)
    counters.chunks += chunks
    counters.duplicateChunks += duplicates
    counters.importRowsAccepted += accepted
    counters.importRowsRejected += rejected
    counters.groupMicrosecondsMax = max(counters.groupMicrosecondsMax, microseconds)
  }
}
