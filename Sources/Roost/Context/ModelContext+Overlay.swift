import RoostModel

/// How much of a query's result depends on what is pending.
enum Overlay: Equatable {
  /// Nothing: the store's answer is right.
  case none
  /// Only rows of the queried entity that are pending themselves.
  case own
  /// Pending changes of related entities: any row may be affected.
  case related
}

extension ModelContext {
  func overlay(_ query: Query, _ includesPending: Bool) -> Overlay {
    guard includesPending, graph.hasChanges else { return .none }
    let pending = graph.pendingModels
    var visitor = RelatedModels(binding: core.binding)
    let expressions = [query.predicate].compactMap { $0 } + query.sort.map(\.expression)
    for expression in expressions { visitor.visit(expression, [query.entity]) }
    if !visitor.found.isDisjoint(with: pending) { return .related }
    guard let own = core.binding.binding(of: query.entity)?.description.index else { return .none }
    return pending.contains(own) ? .own : .none
  }

  /// The result of a query over the store's rows and the pending ones together.
  ///
  /// The store finds what is not pending; pending objects are judged in memory, by the evaluator
  /// that means the same. When related objects are pending, all rows are judged in memory.
  func overlaid(_ query: Query, _ overlay: Overlay) throws(SwiftDataError) -> [ModelRecord] {
    guard let binding = core.binding.binding(of: query.entity) else { return [] }
    var whole = query
    whole.limit = nil
    whole.offset = 0
    whole.selection = .all
    if overlay == .related { whole.predicate = nil }
    let model = binding.description.index
    var stored: [ModelRecord] = []
    try rows(whole) { batch in
      stored.append(contentsOf: graph.register(batch))
    }
    var settled: [ModelRecord] = []
    var judged: [ModelRecord] = []
    for record in stored {
      if overlay == .own, record.state == .clean {
        settled.append(record)
      } else {
        judged.append(record)
      }
    }
    let known = Set(judged.map(\.key))
    judged += graph.changed.values.filter {
      $0.description.index == model && !known.contains($0.key)
    }
    judged += graph.inserted.values.filter { $0.description.index == model }
    return try judge(query, settled, judged)
  }

  private func judge(
    _ query: Query, _ settled: [ModelRecord], _ judged: [ModelRecord]
  ) throws(SwiftDataError) -> [ModelRecord] {
    do throws(StoreError) {
      let typed = try ExpressionChecker.check(query, schema: core.binding.schema)
      var evaluator = ExpressionEvaluator(source: GraphRows(graph: graph))
      var matches = settled
      for record in judged where record.state != .deleted && record.state != .gone {
        if let predicate = typed.predicate, try !evaluator.matches(predicate, record) { continue }
        matches.append(record)
      }
      let sorted = try sort(matches, typed.sort, &evaluator)
      return Array(sorted.dropFirst(query.offset).prefix(query.limit ?? .max))
    } catch {
      throw ModelContext.readFailure(error)
    }
  }

  /// By the keys; among equals stored rows by number, then new ones as they were inserted.
  private func sort(
    _ records: [ModelRecord], _ keys: [TypedSortKey],
    _ evaluator: inout ExpressionEvaluator<GraphRows>
  ) throws(StoreError) -> [ModelRecord] {
    let comparator = RowComparator(keys: keys)
    var keyed: [(key: ([Value], Int64), record: ModelRecord)] = []
    keyed.reserveCapacity(records.count)
    for record in records {
      let values = try comparator.keyValues(of: record, in: &evaluator)
      // Behind every stored row; there are not that many of them.
      let place = record.row > 0 ? record.row : Int64.max / 2 + Int64(record.sequence)
      keyed.append(((values, place), record))
    }
    keyed.sort { comparator.precedes($0.key, $1.key) }
    return keyed.map(\.record)
  }
}

extension ObjectGraph {
  /// Classes with something pending.
  var pendingModels: Set<UInt32> {
    var models: Set<UInt32> = []
    for keys in [inserted.keys, changed.keys, deleted.keys, touched.keys] {
      for key in keys { models.insert(key.model) }
    }
    return models
  }
}
