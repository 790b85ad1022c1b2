import Foundation
import RoostModel

extension ModelContext {
  /// Writes everything pending in one transaction; all of it or nothing.
  ///
  /// Where a unique value is there already, the stored row takes the new values. On an error
  /// everything stays pending. Without changes it does nothing.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` for values and relationships that break
  ///   a rule, ``SwiftDataError/storeFailure`` when the store fails.
  public func save() throws { try save(posting: true) }

  /// `posting` is false where nobody may get hold of the context any more.
  func save(posting: Bool) throws {
    guard graph.hasChanges else { return }
    guard core.configuration.allowsSave else {
      throw SwiftDataError.storeFailure.because("the configuration does not allow saving")
    }
    if posting { NotificationCenter.default.post(name: ModelContext.willSave, object: self) }
    let pending = try graph.prepareSave()
    let result: WriteResult
    do {
      result = try core.engine.write(pending.batch(author: author))
    } catch {
      throw ModelContext.failure(error)
    }
    core.turnThread.noteCommit()
    let saved = graph.finishSave(pending, results: result.results)
    autosaveError = nil
    guard posting else { return }
    followOwn(pending, result)
    NotificationCenter.default.post(
      name: ModelContext.didSave, object: self,
      userInfo: [
        NotificationKey.queryGeneration.rawValue: result.commit,
        NotificationKey.insertedIdentifiers.rawValue: saved.inserted,
        NotificationKey.updatedIdentifiers.rawValue: saved.updated,
        NotificationKey.deletedIdentifiers.rawValue: saved.deleted,
      ])
  }

  /// What the store did beyond the operations: cascades, cleared references, merged rows.
  private func followOwn(_ pending: PendingSave, _ result: WriteResult) {
    var known: Set<ObjectKey> = []
    known.reserveCapacity(pending.inserted.count)
    for (record, operation) in pending.inserted where operation < result.results.count {
      if result.results[operation].outcome == .inserted { known.insert(record.key) }
    }
    // What was updated is known, too, unless a delete may have cleared something in it.
    if pending.deleted.isEmpty { known.formUnion(pending.updated.map(\.key)) }
    follow(store.news(), own: (result.commit, known))
  }

  static func failure(_ error: StoreError) -> SwiftDataError {
    switch error.detail {
    case .uniqueKey, .relationshipRule, .validation, .badValue:
      SwiftDataError.modelValidationFailure.because(error.message, underlying: error)
    default: SwiftDataError.storeFailure.because(error.message, underlying: error)
    }
  }

  /// Drops everything pending: inserts and deletes are forgotten, values and relationships go
  /// back to what was last saved.
  public func rollback() { graph.rollback() }

  /// Runs the block, then saves; if the block throws, everything pending is rolled back.
  public func transaction(block: () throws -> Void) throws {
    do {
      try block()
    } catch {
      rollback()
      throw error
    }
    try save()
  }

  // MARK: Autosave

  func becomeMainContext() {
    isMainContext = true
    autosaveEnabled = true
    turn.kind = .mainActor
  }

  /// Saves once the main actor's current turn is over, whatever else changes until then.
  func somethingChanged() {
    guard isMainContext, autosaveEnabled, !isAutosaveScheduled else { return }
    isAutosaveScheduled = true
    let core = core
    Task { @MainActor [weak core] in core?.mainContext?.autosave() }
  }

  private func autosave() {
    isAutosaveScheduled = false
    guard autosaveEnabled else { return }
    do {
      try save()
    } catch {
      autosaveError = error
    }
  }
}
