import RoostClient
import RoostModel

/// Gives rows their own values back after a run with writes.
struct Restoration {
  let client: RoostClient
  let schemaVersion: UInt32
  private static let batchRows = 1_000

  /// Puts back what still has the value we wrote.
  ///
  /// - Returns: How many rows have been put back, and how many had to be left as they are because
  ///   another client changed them meanwhile.
  func run(_ sets: [WriteSet]) async throws(LoadError) -> (restored: Int, left: Int) {
    var sum = (restored: 0, left: 0)
    for set in sets {
      let revision = try await asking { () throws(ClientError) in
        try await client.health().lastCommit
      }
      let current = try await RowValues(
        client: client, entity: set.entity, property: set.property.id
      ).read(set.touchedRows)
      var rest = set.restorations(of: current, revision: revision)[...]
      while !rest.isEmpty {
        let part = rest.prefix(Restoration.batchRows)
        rest = rest.dropFirst(part.count)
        let left = try await write(Array(part))
        sum.restored += part.count - left
        sum.left += left
      }
    }
    return sum
  }

  /// Writes all but those that another client has changed meanwhile; gives how many those are.
  private func write(_ operations: [WriteOperation]) async throws(LoadError) -> Int {
    var operations = operations
    var left = 0
    while !operations.isEmpty {
      let batch = WriteBatch(operations: operations, schemaVersion: schemaVersion)
      do throws(ClientError) {
        _ = try await client.write(batch)
        return left
      } catch {
        let isConflict = error.detail == .revisionMismatch || error.detail == .unknownRow
        guard isConflict, let index = error.operation, operations.indices.contains(index) else {
          throw LoadError(error)
        }
        operations.remove(at: index)
        left += 1
      }
    }
    return left
  }
}
