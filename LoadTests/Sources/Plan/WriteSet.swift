import RoostModel

/// The rows that writes change back and forth between their own value and another row's.
///
/// Nothing is lost by it: a row is changed only if nobody else has changed it since it was read
/// (`ifRevision`), and ``restorations(of:)`` says how to put back what is changed at the end.
struct WriteSet: Sendable {
  private struct Row: Sendable {
    let id: Int64
    let original: Value
    let alternate: Value
    /// The commit after which the row has not changed, as far as we know.
    var revision: UInt64
    var isAlternate = false
    /// A write of it is under way, or nobody knows how one ended, or another client changed it.
    var isBusy = false
  }

  let entity: EntityID
  let property: PropertySchema
  private var rows: [Row]
  private var touched: Set<Int> = []

  /// Takes `samples`, rows and their values at the commit `revision`; nil when there is nothing to
  /// alternate with.
  init?(
    entity: EntityID, property: PropertySchema, samples: [(row: Int64, value: Value)],
    revision: UInt64
  ) {
    guard !samples.isEmpty, let alternates = Variation.alternates(for: samples.map(\.value))
    else { return nil }
    self.entity = entity
    self.property = property
    rows = zip(samples, alternates).map { sample, alternate in
      Row(id: sample.row, original: sample.value, alternate: alternate, revision: revision)
    }
  }

  private init(_ whole: WriteSet, rows: [Row]) {
    entity = whole.entity
    property = whole.property
    self.rows = rows
  }

  var count: Int { rows.count }

  /// Shares for threads, which then need no lock.
  func split(into parts: Int) -> [WriteSet] {
    (0..<max(1, parts)).map { part in
      let own = rows.indices.filter { $0 % max(1, parts) == part }.map { rows[$0] }
      return WriteSet(self, rows: own)
    }
  }

  /// Takes a row that no write has under way; nil when all near the chosen place have.
  mutating func begin(_ random: inout RandomSource) -> (index: Int, operation: WriteOperation)? {
    guard !rows.isEmpty else { return nil }
    var index = Int(random.below(UInt64(rows.count)))
    for _ in 0..<min(rows.count, 64) {
      if !rows[index].isBusy { return (index, take(index)) }
      index = (index + 1) % rows.count
    }
    return nil
  }

  private mutating func take(_ index: Int) -> WriteOperation {
    rows[index].isBusy = true
    touched.insert(index)
    let row = rows[index]
    return .update(
      entity, .row(row.id),
      [Assignment(property.id, row.isAlternate ? row.original : row.alternate)],
      ifRevision: row.revision)
  }

  /// The write of this row is committed.
  mutating func committed(_ index: Int, _ commit: UInt64) {
    rows[index].isBusy = false
    rows[index].isAlternate.toggle()
    // An update that changed nothing tells an older commit.
    rows[index].revision = max(rows[index].revision, commit)
  }

  /// The write of this row did not happen for sure, and may be tried again.
  mutating func refused(_ index: Int) { rows[index].isBusy = false }

  /// Nobody knows whether it happened, or the row is another client's now: leave it alone.
  mutating func abandoned(_ index: Int) { rows[index].isBusy = true }

  /// Rows a write was tried on.
  var touchedRows: [Int64] { touched.sorted().map { rows[$0].id } }

  /// What puts rows back that still have the value we wrote; `current` is what rows hold at the
  /// commit `revision`, and rows it leaves out are gone.
  func restorations(of current: [Int64: Value], revision: UInt64) -> [WriteOperation] {
    touched.sorted().compactMap { index in
      let row = rows[index]
      guard let value = current[row.id], value == row.alternate, value != row.original
      else { return nil }
      return .update(
        entity, .row(row.id), [Assignment(property.id, row.original)], ifRevision: revision)
    }
  }
}
