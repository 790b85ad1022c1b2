import RoostModel

/// The rows one thread has made for itself: what was acknowledged must be there at the end.
struct OwnRows: Sendable {
  struct Row: Hashable, Sendable {
    var id: Int64
    var number: UInt64
  }

  let maker: RowMaker
  private let lane: UInt64
  private let lanes: UInt64
  private var nextInsert: UInt64 = 0
  /// Acknowledged inserts that no delete is under way for.
  private(set) var alive: [Row] = []
  /// Acknowledged deletes.
  private(set) var gone: [Row] = []
  /// Rows of acknowledged upserts by their number, and the version that was written last.
  private(set) var upserted: [UInt64: (id: Int64, version: UInt64)] = [:]
  /// Numbers an upsert is under way for: a second one would leave open which came last.
  private var busy: Set<UInt64> = []
  /// Writes nobody knows the outcome of.
  private(set) var doubtful: UInt64 = 0
  /// Numbers whose upsert has an unknown outcome, and which are left alone from then on.
  private(set) var doubtfulUpserts: Set<UInt64> = []

  init(_ maker: RowMaker, lane: Int, lanes: Int) {
    self.maker = maker
    self.lane = UInt64(max(0, lane))
    self.lanes = UInt64(max(1, lanes))
  }

  var isFull: Bool { alive.count >= LoadLimits.ownRowsMax }

  /// The number of the next row to insert.
  mutating func beginInsert() -> UInt64 {
    defer { nextInsert += 1 }
    return nextInsert * lanes + lane
  }

  /// The row to delete; nil when there is none.
  mutating func beginDelete(_ random: inout RandomSource) -> Row? {
    guard !alive.isEmpty else { return nil }
    alive.swapAt(Int(random.below(UInt64(alive.count))), alive.count - 1)
    return alive.removeLast()
  }

  /// The number of a row to make or change, and the version to give it; nil when those near the
  /// chosen one are under way.
  mutating func beginUpsert(_ random: inout RandomSource) -> (number: UInt64, version: UInt64)? {
    let place = random.below(UInt64(LoadLimits.upsertRowsMax))
    for step in 0..<UInt64(16) {
      let number = (place + step) * lanes + lane
      if busy.contains(number) || doubtfulUpserts.contains(number) { continue }
      busy.insert(number)
      return (number, (upserted[number]?.version ?? 0) + 1)
    }
    return nil
  }

  mutating func inserted(_ number: UInt64, row: Int64) {
    alive.append(Row(id: row, number: number))
  }

  mutating func deleted(_ row: Row) { gone.append(row) }

  mutating func upserted(_ number: UInt64, row: Int64, version: UInt64) {
    busy.remove(number)
    upserted[number] = (row, version)
  }

  /// A write did not happen for sure.
  mutating func refused(_ write: OwnWrite) {
    switch write {
    case .insert: break
    case .delete(let row): alive.append(row)
    case .upsert(let number, _): busy.remove(number)
    }
  }

  /// Nobody knows whether a write happened.
  mutating func abandoned(_ write: OwnWrite) {
    doubtful += 1
    if case .upsert(let number, _) = write { doubtfulUpserts.insert(number) }
  }
}

/// A write of a row of the run's own.
enum OwnWrite: Hashable, Sendable {
  case insert(UInt64)
  case upsert(UInt64, version: UInt64)
  case delete(OwnRows.Row)
}
