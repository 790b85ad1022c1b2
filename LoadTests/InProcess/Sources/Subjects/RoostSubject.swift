import Foundation
import Roost
import RoostModel

/// The object layer: a container on a file, a new context for each measure.
final class RoostSubject: Subject {
  private let container: ModelContainer
  /// What the last measure made and the next one goes on with.
  private var context: ModelContext?
  private var held: [BenchRecord] = []

  init(file: String) throws {
    container = try ModelContainer(
      for: BenchRecord.self, configurations: ModelConfiguration(url: URL(fileURLWithPath: file)))
  }

  func run(_ measure: Measure, _ plan: BenchPlan) throws -> UInt64? {
    switch measure {
    case .insert: try insert(plan.rows)
    case .fetchTwo: return try fetchTwo()
    case .fetchAll: return try fetchAll()
    case .release: release()
    case .keysFresh: return try fetch(plan.keys, in: ModelContext(container))
    case .keysSame: return try fetch(plan.keys, in: context ?? ModelContext(container))
    case .upsert: try insert(plan.changed)
    case .delete: try delete()
    }
    return nil
  }

  /// The writer checkpoints after a large commit; an empty write is answered behind that.
  func settle() throws {
    _ = try container.core.engine.write(
      WriteBatch(operations: [], schemaVersion: container.core.engine.schema.version))
  }

  // Not inlined, so that a profiler can be told to look at one of them only.

  @inline(never)
  func insert(_ rows: [RecordValues]) throws {
    let context = ModelContext(container)
    for values in rows { context.insert(BenchRecord(values)) }
    try context.save()
    self.context = context
  }

  @inline(never)
  func fetchTwo() throws -> UInt64 {
    let context = ModelContext(container)
    let records = try context.fetch(FetchDescriptor<BenchRecord>())
    var sum = CheckSum()
    for record in records {
      sum.add(record.name)
      sum.add(record.count)
    }
    self.context = context
    held = records
    return sum.value
  }

  @inline(never)
  func fetchAll() throws -> UInt64 {
    let context = ModelContext(container)
    let records = try context.fetch(FetchDescriptor<BenchRecord>())
    var sum = CheckSum()
    for record in records { add(record, to: &sum) }
    self.context = context
    held = records
    return sum.value
  }

  private func add(_ record: BenchRecord, to sum: inout CheckSum) {
    sum.add(record.key)
    sum.add(record.name)
    sum.add(record.city)
    sum.add(record.count)
    sum.add(record.rank)
    sum.add(record.price)
    sum.add(record.ratio)
    sum.add(record.isOpen)
    sum.add(record.created.timeIntervalSinceReferenceDate)
    if let note = record.note { sum.add(note) }
  }

  @inline(never)
  func release() {
    held = []
    context = nil
  }

  @inline(never)
  func fetch(_ keys: [Int], in context: ModelContext) throws -> UInt64 {
    var sum = CheckSum()
    for key in keys {
      var descriptor = FetchDescriptor<BenchRecord>(predicate: #Predicate { $0.key == key })
      descriptor.fetchLimit = 1
      for record in try context.fetch(descriptor) {
        sum.add(record.name)
        sum.add(record.count)
        held.append(record)
      }
    }
    self.context = context
    return sum.value
  }

  @inline(never)
  func delete() throws {
    let context = ModelContext(container)
    try context.delete(model: BenchRecord.self)
    try context.save()
    self.context = context
  }
}
