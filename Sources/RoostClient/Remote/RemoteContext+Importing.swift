public import Roost
import FoundationEssentials
public import RoostModel

extension RemoteContext {
  /// Imports the instances of a sequence without registering them here.
  ///
  /// Rows go in chunks with a window of them under way; memory stays flat however many there are.
  /// A to-one whose target is not saved is connected by the target's first unique constraint and
  /// made with nothing but that key if it is missing. To-many relationships are not imported.
  ///
  /// - Parameters:
  ///   - values: Instances that no context holds.
  ///   - conflict: What happens to a row whose unique key exists.
  ///   - onReport: Runs for each chunk that was judged, on the client's own thread.
  /// - Returns: The final counts; rejected rows do not stop the import.
  /// - Throws: What the sequence throws; ``ClientError``, `invalidArgument` for an instance that
  ///   leads to an unsaved one without a unique constraint.
  @discardableResult
  public func `import`<Values: AsyncSequence>(
    _ values: Values, onConflict conflict: ImportConflict = .update,
    onReport: (@Sendable (ImportReport) -> Void)? = nil
  ) async throws -> ImportProgress where Values.Element: PersistentModel {
    let encoder = try ImportEncoder(Values.Element._$description, binding, graph)
    let descriptor = ImportDescriptor(
      id: UUID(), entity: encoder.entity.entity, conflict: conflict,
      constraint: encoder.constraint, onRowError: .skip)
    let writer = client.openImport(descriptor, onReport: onReport)
    do {
      var batch = encoder.emptyBatch
      for try await value in values {
        try encoder.append(value, to: &batch)
        if batch.rowCount >= ClientLimits.importChunkRows
          || batch.body.count >= ClientLimits.importChunkBytes
        {
          try await writer.send(batch)
          batch = encoder.emptyBatch
        }
      }
      try await writer.send(batch)
      return try await writer.finish()
    } catch {
      writer.abort()
      throw error
    }
  }
}

/// Turns instances into the rows of an import.
struct ImportEncoder {
  let entity: EntityBinding
  /// Properties of the first unique constraint.
  let constraint: [PropertyID]?
  private let binding: SchemaBinding
  private let graph: ObjectGraph
  private let slots: [Int]

  init(
    _ description: ModelDescription, _ binding: SchemaBinding, _ graph: ObjectGraph
  ) throws(ClientError) {
    guard let entity = binding.binding(of: description) else {
      throw ClientError(
        .invalidArgument, .local, "'\(description.name)' was not registered with this context")
    }
    self.entity = entity
    self.binding = binding
    self.graph = graph
    slots = description.properties.filter { !$0.isToMany }.map(\.slot)
    constraint = description.uniqueSlots.first.map { $0.map { entity.properties[$0] } }
  }

  var emptyBatch: RowBatch {
    RowBatch(
      entity: entity.entity, schemaVersion: binding.schema.version,
      columns: slots.map { entity.properties[$0] })
  }

  func append<Model: PersistentModel>(
    _ model: Model, to batch: inout RowBatch
  ) throws(ClientError) {
    model._$storeConstants()
    let record = model._$remoteRecord
    var writer = PackedWriter(appendingTo: batch.body)
    batch.body = []
    defer { batch.body = writer.bytes }
    for slot in slots { writer.value(try column(record, slot)) }
    batch.rowCount += 1
  }

  private func column(_ record: ModelRecord, _ slot: Int) throws(ClientError) -> Value {
    let value = record.value(slot)
    guard case .reference(let reference) = value,
      let target = record.description.properties[slot].destination,
      let entity = binding.binding(of: target)
    else { return value }
    let row = graph.permanentRow(reference.row)
    if row > 0 { return .reference(RowReference(entity: entity.entity, row: row)) }
    guard let other = record.target(of: slot), let key = target.uniqueSlots.first else {
      throw ClientError(
        .invalidArgument, .local,
        "\(record.description.name).\(record.description.properties[slot].name) leads to an "
          + "unsaved '\(target.name)', which has no unique constraint to connect it by")
    }
    return .key(
      KeyReference(
        entity: entity.entity, constraint: key.map { entity.properties[$0] },
        values: key.map { other.value($0) }, createsMissing: true))
  }
}
