package import RoostModel

/// Everything one save writes, and which record each operation stands for.
package struct PendingSave {
  package internal(set) var operations: [WriteOperation] = []
  package let schemaVersion: UInt32
  /// Inserted records with the operation that makes them.
  var inserted: [(record: ModelRecord, operation: Int)] = []
  var updated: [ModelRecord] = []
  var deleted: [ModelRecord] = []

  package func batch(author: String?) -> WriteBatch {
    WriteBatch(operations: operations, schemaVersion: schemaVersion, author: author)
  }
}

/// Identifiers of what a save wrote.
package struct SavedIdentifiers {
  package var inserted: [PersistentIdentifier] = []
  package var updated: [PersistentIdentifier] = []
  package var deleted: [PersistentIdentifier] = []
}
