import RoostModel

/// Judges at the end of a run whether what was acknowledged is there.
struct OwnDataCheck {
  let data: OwnData
  /// Rows of this run that were there before the first request.
  let before: Int
  let imports: ImportOutcome?

  func run(_ parts: [OwnRows]) async throws(LoadError) -> [Verdict] {
    var verdicts: [Verdict] = []
    if !parts.isEmpty {
      verdicts.append(try await insertsAreThere(parts))
      verdicts.append(try await upsertsAreThere(parts))
      verdicts.append(try await deletesAreGone(parts))
    }
    verdicts.append(try await countIsRight(parts))
    return verdicts.filter { $0.found != "" }
  }

  private func insertsAreThere(_ parts: [OwnRows]) async throws(LoadError) -> Verdict {
    var rows: [(id: Int64, values: [Value])] = []
    for part in parts {
      for row in part.alive { rows.append((row.id, data.maker.values(.insert, row.number))) }
    }
    return try await compare(rows, "every acknowledged insert is there")
  }

  private func upsertsAreThere(_ parts: [OwnRows]) async throws(LoadError) -> Verdict {
    var rows: [(id: Int64, values: [Value])] = []
    for part in parts {
      for (number, row) in part.upserted where !part.doubtfulUpserts.contains(number) {
        rows.append((row.id, data.maker.values(.upsert, number, version: row.version)))
      }
    }
    return try await compare(rows, "every acknowledged upsert is there")
  }

  private func compare(
    _ rows: [(id: Int64, values: [Value])], _ rule: String
  ) async throws(LoadError) -> Verdict {
    let stored = try await data.read(rows.map(\.id))
    var missing = 0
    var different = 0
    for (row, values) in zip(rows, stored) {
      if values == nil { missing += 1 } else if values != row.values { different += 1 }
    }
    let found =
      rows.isEmpty
      ? ""
      : missing + different == 0
        ? "\(Figures.grouped(rows.count)) rows with their values"
        : "of \(Figures.grouped(rows.count)) rows \(missing) are missing, \(different) differ"
    return Verdict(rule: rule, found: found, holds: missing + different == 0)
  }

  private func deletesAreGone(_ parts: [OwnRows]) async throws(LoadError) -> Verdict {
    let ids = parts.flatMap { $0.gone.map(\.id) }
    let left = try await data.read(ids).reduce(0) { $0 + ($1 == nil ? 0 : 1) }
    return Verdict(
      rule: "no acknowledged delete is undone",
      found: ids.isEmpty ? "" : "of \(Figures.grouped(ids.count)) rows \(left) are there",
      holds: left == 0)
  }

  /// Doubtful writes may each have made, or deleted, one row.
  private func countIsRight(_ parts: [OwnRows]) async throws(LoadError) -> Verdict {
    var sure = before + (imports?.accepted ?? 0)
    var doubtful = imports?.unknown ?? 0
    for part in parts {
      sure += part.alive.count + part.upserted.count
      doubtful += Int(part.doubtful)
    }
    let count = try await data.count()
    let expected =
      Figures.grouped(sure) + (doubtful > 0 ? " ± \(Figures.grouped(doubtful)) in doubt" : "")
    // A run that made nothing has nothing to be counted.
    let isIdle = sure == 0 && doubtful == 0 && count == 0
    return Verdict(
      rule: "rows of this run: \(expected)", found: isIdle ? "" : Figures.grouped(count),
      holds: abs(count - sure) <= doubtful)
  }
}
