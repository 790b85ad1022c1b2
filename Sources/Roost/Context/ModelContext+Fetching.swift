import Foundation
import RoostModel

extension ModelContext {
  /// The instances a descriptor asks for.
  ///
  /// Pending changes count: inserted and changed instances are judged and ordered by what they are
  /// now, deleted ones are left out.
  ///
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` naming the expression,
  ///   ``SwiftDataError/unsupportedSortDescriptor``, ``SwiftDataError/storeFailure``.
  @inlinable
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    let records = try records(descriptor)
    var result: [T] = []
    result.reserveCapacity(records.count)
    // Inlined: making objects of a class that is known takes half the time.
    for record in records {
      if let known = record.shell(of: T._$description) {
        result.append(unsafeDowncast(known, to: T.self))
      } else if let made = graph.shell(record, as: T.self) {
        result.append(made)
      }
    }
    graph.sweepIfNeeded()
    return result
  }

  /// How many instances a descriptor asks for, limit and offset included.
  public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
    refresh()
    let query = try lowered(descriptor)
    let overlay = overlay(query, descriptor.includePendingChanges)
    if overlay == .none {
      return try reading { (reader) throws(StoreError) in try reader.count(query) }
    }
    return try overlaid(query, overlay).count
  }

  /// Identifiers of the instances a descriptor asks for.
  public func fetchIdentifiers<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [PersistentIdentifier] {
    refresh()
    var query = try lowered(descriptor)
    let overlay = overlay(query, descriptor.includePendingChanges)
    if overlay != .none { return try overlaid(query, overlay).map(\.identifier) }
    query.selection = .properties([])
    var identifiers: [PersistentIdentifier] = []
    try rows(query) { batch in
      for row in batch.identifiers {
        identifiers.append(
          PersistentIdentifier(
            entityName: T._$description.name, row: row,
            storeIdentifier: core.engine.storeIdentifier))
      }
    }
    return identifiers
  }

  /// Calls the block with each instance, reading and letting go batch by batch.
  ///
  /// - Throws: What the block throws, and ``SwiftDataError/storeFailure`` if the block changes
  ///   instances although `allowEscapingMutations` is false.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5_000, allowEscapingMutations: Bool = false,
    block: (_ model: T) throws -> Void
  ) throws {
    let identifiers = try fetchIdentifiers(fetch)
    let step = max(1, batchSize)
    var start = 0
    while start < identifiers.count {
      let end = min(identifiers.count, start + step)
      graph.load(T._$description, rows: identifiers[start..<end].map(\.row))
      for identifier in identifiers[start..<end] {
        guard let record = graph.record(T._$description, identifier.row),
          let model = graph.shell(record, as: T.self)
        else { continue }
        try block(model)
      }
      if graph.hasChanges, !allowEscapingMutations {
        throw SwiftDataError.storeFailure.because(
          "the block changed instances; pass allowEscapingMutations: true, or save in the block")
      }
      graph.sweep()
      start = end
    }
  }

  // MARK: Parts

  @usableFromInline
  func records<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws(SwiftDataError) -> [ModelRecord] {
    refresh()
    let query = try lowered(descriptor)
    let overlay = overlay(query, descriptor.includePendingChanges)
    var records: [ModelRecord] = []
    if overlay == .none {
      try rows(query) { batch in
        let found = graph.register(batch)
        if records.isEmpty { records = found } else { records.append(contentsOf: found) }
      }
    } else {
      records = try overlaid(query, overlay)
    }
    prefetch(descriptor.relationshipKeyPathsForPrefetching, of: records, T._$description)
    return records
  }

  private func lowered<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws(SwiftDataError) -> Query {
    var query = try QueryLowering(graph, core.binding).query(descriptor)
    query.prefetch = []
    return query
  }

  private func prefetch(
    _ keyPaths: [AnyKeyPath], of records: [ModelRecord], _ model: ModelDescription
  ) {
    for case let slot? in keyPaths.map({ model.slot(of: $0) }) {
      let property = model.properties[slot]
      guard let destination = property.destination else { continue }
      var rows: [Int64] = []
      for record in records {
        if property.isToMany {
          rows.append(contentsOf: graph.toManyRows(record, slot))
        } else if let row = graph.toOneRow(record, slot) {
          rows.append(row)
        }
      }
      graph.load(destination, rows: rows)
    }
  }

  func reading<Result>(
    _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(SwiftDataError) -> Result {
    do throws(StoreError) {
      return try store.read(body)
    } catch {
      throw ModelContext.readFailure(error)
    }
  }

  static func readFailure(_ error: StoreError) -> SwiftDataError {
    switch error.detail {
    case .unsupportedExpression, .expressionTooLarge:
      SwiftDataError.unsupportedPredicate.because(error.message, underlying: error)
    default: SwiftDataError.storeFailure.because(error.message, underlying: error)
    }
  }

  /// Runs a query within one snapshot and hands its rows on, batch by batch.
  func rows(_ query: Query, _ body: (RowBatch) -> Void) throws(SwiftDataError) {
    try reading { (reader) throws(StoreError) in
      let cursor = try reader.cursor(query)
      while let batch = try cursor.next(
        rowsMax: ContextLimits.batchRowsMax, bytesMax: ContextLimits.batchBytesMax)
      {
        body(batch)
      }
    }
  }
}

/// Bounds of a context's reads.
enum ContextLimits {
  static let batchRowsMax = 10_000
  static let batchBytesMax = 4 << 20
}

extension RowBatch {
  /// The first column as row identifiers.
  var identifiers: [Int64] {
    var rows: [Int64] = []
    rows.reserveCapacity(rowCount)
    body.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      do throws(PackedError) {
        for _ in 0..<rowCount {
          if case .int(let row) = try reader.value() { rows.append(row) }
          for _ in 1..<max(1, columns.count) { try reader.skip() }
        }
      } catch {
        return
      }
    }
    return rows
  }
}
