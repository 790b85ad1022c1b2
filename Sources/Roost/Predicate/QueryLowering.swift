import Foundation
package import RoostModel

/// Turns fetch descriptors into queries over one store's identifiers.
package struct QueryLowering {
  let binding: SchemaBinding
  let resolve: (Int64) -> Int64

  package init(_ graph: ObjectGraph, _ binding: SchemaBinding) {
    self.binding = binding
    resolve = { [weak graph] row in graph?.resolve(row) ?? row }
  }

  package func entity(_ model: ModelDescription) throws(SwiftDataError) -> EntityBinding {
    guard let entity = binding.binding(of: model) else {
      throw SwiftDataError.unknownSchema.because(
        "'\(model.name)' is not in this container's schema")
    }
    return entity
  }

  /// The query of a descriptor, with every part of it.
  ///
  /// - Throws: ``SwiftDataError/unsupportedPredicate`` naming the expression,
  ///   ``SwiftDataError/unsupportedSortDescriptor``, ``SwiftDataError/unsupportedKeyPath``.
  package func query<T>(_ descriptor: FetchDescriptor<T>) throws(SwiftDataError) -> Query {
    let model = T._$description
    let entity = try entity(model)
    var query = Query(entity: entity.entity)
    if let predicate = descriptor.predicate { query.predicate = try condition(predicate) }
    for sort in descriptor.sortBy { query.sort.append(try key(sort)) }
    query.limit = descriptor.fetchLimit.map { max(0, $0) }
    query.offset = max(0, descriptor.fetchOffset ?? 0)
    if !descriptor.propertiesToFetch.isEmpty {
      query.selection = .properties(try properties(descriptor.propertiesToFetch, entity))
    }
    for keyPath in descriptor.relationshipKeyPathsForPrefetching {
      query.prefetch.append(try way(keyPath, model))
    }
    return query
  }

  /// nil when the predicate is always true.
  package func condition<T: PersistentModel>(
    _ predicate: Predicate<T>
  ) throws(SwiftDataError) -> QueryExpression? {
    let context = LoweringContext(binding: binding, resolve: resolve)
    context.variables[predicate.variable.key] = .row(
      Lowered.Way(depth: 0, properties: []), T._$description)
    let lowered = try context.lower(predicate.expression)
    if let value = lowered.bool { return value ? nil : .or([]) }
    return try context.expression(lowered)
  }

  private func key<T: PersistentModel>(
    _ descriptor: SortDescriptor<T>
  ) throws(SwiftDataError) -> SortKey {
    guard let keyPath = descriptor.keyPath else {
      throw SwiftDataError.unsupportedSortDescriptor.because("it has no key path")
    }
    let context = LoweringContext(binding: binding, resolve: resolve)
    do throws(SwiftDataError) {
      let part = try context.property(
        keyPath, of: T._$description, at: Lowered.Way(depth: 0, properties: []))
      guard case .attribute = part else {
        throw SwiftDataError.unsupportedSortDescriptor.because(
          "'\(T._$description.name)' cannot be sorted by a relationship")
      }
      return SortKey(try context.expression(part), isDescending: descriptor.order == .reverse)
    } catch {
      throw SwiftDataError.unsupportedSortDescriptor.because(error.message)
    }
  }

  private func properties<T>(
    _ keyPaths: [PartialKeyPath<T>], _ entity: EntityBinding
  ) throws(SwiftDataError) -> [PropertyID] {
    var ids: [PropertyID] = []
    for keyPath in keyPaths {
      guard let slot = entity.description.slot(of: keyPath) else {
        throw SwiftDataError.unsupportedKeyPath.because(
          "propertiesToFetch names what '\(entity.description.name)' does not store")
      }
      if !entity.description.properties[slot].isToMany { ids.append(entity.properties[slot]) }
    }
    return ids
  }

  private func way(
    _ keyPath: AnyKeyPath, _ model: ModelDescription
  ) throws(SwiftDataError) -> [PropertyID] {
    guard let slot = model.slot(of: keyPath), model.properties[slot].isRelationship else {
      throw SwiftDataError.unsupportedKeyPath.because(
        "relationshipKeyPathsForPrefetching names what is no relationship of '\(model.name)'")
    }
    return [try entity(model).properties[slot]]
  }
}
