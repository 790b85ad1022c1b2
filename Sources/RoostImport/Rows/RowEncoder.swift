package import RoostModel

/// Where an attribute's value comes from: the first of some fields that is not null.
package struct FieldRule: Hashable, Sendable {
  package var slots: [Int]
  package var type: AttributeType
  /// The packed value when all fields are null.
  package var fallback: [UInt8]?

  package init(slots: [Int], type: AttributeType, fallback: [UInt8]? = nil) {
    self.slots = slots
    self.type = type
    self.fallback = fallback
  }
}

/// Where a to-one's target comes from: the row of an entity with this key.
package struct KeyRule: Hashable, Sendable {
  package var entity: EntityID
  package var constraint: [PropertyID]
  /// One for each property of the constraint.
  package var parts: [FieldRule]
  package var createsMissing: Bool

  package init(
    entity: EntityID, constraint: [PropertyID], parts: [FieldRule], createsMissing: Bool
  ) {
    self.entity = entity
    self.constraint = constraint
    self.parts = parts
    self.createsMissing = createsMissing
  }
}

/// One column of the rows to be written.
package struct BoundColumn: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case field(FieldRule)
    case key(KeyRule)
  }

  package var property: PropertyID
  package var name: String
  /// nil rejects the row; so it does for parts of the import's key.
  package var isRequired: Bool
  package var rule: Rule

  package init(property: PropertyID, name: String, isRequired: Bool, rule: Rule) {
    self.property = property
    self.name = name
    self.isRequired = isRequired
    self.rule = rule
  }

  /// Whether the record says anything about the column, be it null.
  func isNamed(by source: some FieldSource) -> Bool {
    switch rule {
    case .field(let rule): !rule.slots.allSatisfy(source.isAbsent) || rule.fallback != nil
    case .key(let rule): !rule.parts.allSatisfy { $0.slots.allSatisfy(source.isAbsent) }
    }
  }
}

/// Turns records into packed rows.
package struct RowEncoder: Sendable {
  package let columns: [BoundColumn]
  /// Before the values of a key reference: its tag, entity and constraint.
  private let keyPrefixes: [[UInt8]]

  package init(_ columns: [BoundColumn]) {
    self.columns = columns
    keyPrefixes = columns.map { column in
      guard case .key(let rule) = column.rule else { return [] }
      var writer = PackedWriter()
      writer.byte(PackedTag.key)
      writer.varint(UInt64(rule.entity))
      writer.count(rule.constraint.count)
      for property in rule.constraint { writer.varint(UInt64(property)) }
      return writer.bytes
    }
  }

  /// Appends one value for each column, or of those `indices` names.
  ///
  /// After a throw the writer holds part of a row; the caller cuts it off.
  @inline(__always)
  package func write(
    _ source: some FieldSource, indices: [Int], into writer: inout PackedWriter
  ) throws(CellFault) {
    for index in indices {
      let column = columns[index]
      do throws(CellFault) {
        switch column.rule {
        case .field(let rule):
          if try !write(rule, source, into: &writer) { try null(column, into: &writer) }
        case .key(let rule):
          if try !write(rule, prefix: keyPrefixes[index], source, into: &writer) {
            try null(column, into: &writer)
          }
        }
      } catch {
        throw CellFault(error.reason, attribute: column.name)
      }
    }
  }

  private func null(_ column: BoundColumn, into writer: inout PackedWriter) throws(CellFault) {
    if column.isRequired { throw CellFault("it has no value and is required") }
    writer.null()
  }

  /// false if there is no value; then nothing was appended.
  @inline(__always)
  private func write(
    _ rule: FieldRule, _ source: some FieldSource, into writer: inout PackedWriter
  ) throws(CellFault) -> Bool {
    for slot in rule.slots where !source.isNull(slot) {
      try source.write(slot, as: rule.type, into: &writer)
      return true
    }
    guard let fallback = rule.fallback else { return false }
    writer.raw(fallback)
    return true
  }

  private func write(
    _ rule: KeyRule, prefix: [UInt8], _ source: some FieldSource, into writer: inout PackedWriter
  ) throws(CellFault) -> Bool {
    let start = writer.bytes.count
    writer.raw(prefix)
    var written = 0
    for part in rule.parts {
      if try write(part, source, into: &writer) { written += 1 }
    }
    if written == rule.parts.count {
      writer.byte(rule.createsMissing ? 1 : 0)
      return true
    }
    writer.truncate(to: start)
    guard written == 0 else { throw CellFault("a part of its key has no value") }
    return false
  }
}
