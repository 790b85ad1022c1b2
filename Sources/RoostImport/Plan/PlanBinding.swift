package import RoostModel

/// A plan's source, fitted to the schema of a store.
package struct PlanBinding: Sendable {
  package let target: ImportTarget
  private let source: PlanSource
  private let fields: [FieldPath]
  private let columns: [BoundColumn]

  /// - Throws: ``BindingFault`` for what the store's schema does not have.
  package init(_ source: PlanSource, schema: StoreSchema) throws(BindingFault) {
    self.source = source
    target = try ImportTarget(
      schema: schema, entity: source.entity, key: source.key, conflict: source.conflict)
    var binder = Binder(target: target)
    for mapping in source.mappings { try binder.bind(mapping) }
    if !source.mappings.isEmpty {
      for name in source.key where !binder.columns.contains(where: { $0.name == name }) {
        throw BindingFault("map lacks \"\(name)\", which is part of the key")
      }
    }
    fields = binder.fields
    columns = binder.columns
  }

  private var direct: DirectBinding {
    DirectBinding(target, ignoresUnknown: source.ignoresUnknown)
  }

  /// A stream for one of the source's files.
  package func stream(_ file: String) throws(BindingFault) -> any RecordStream {
    switch source.format ?? FileFormat.of(file) {
    case .csv?:
      return CSVRowStream(target, format: source.csv) { (header) throws(BindingFault) in
        try self.header(header)
      }
    case .ndjson?:
      return JSONRowStream(target, layout: .lines, bound: try boundFields())
    case .json?:
      return JSONRowStream(
        target, layout: .document(records: source.records), bound: try boundFields())
    case nil:
      throw BindingFault("\(file): its name does not tell the format; say \"format\"")
    }
  }

  private func boundFields() throws(BindingFault) -> BoundFields {
    if source.mappings.isEmpty { return try direct.fields() }
    return BoundFields(fields: fields, columns: columns)
  }

  private func header(_ header: [String]) throws(BindingFault) -> BoundHeader {
    if source.mappings.isEmpty { return try direct.header(header) }
    var cells: [Int] = []
    for field in fields {
      let name = field.keys.joined(separator: ".")
      guard let cell = header.firstIndex(of: name) else {
        throw BindingFault(
          "the header has no \"\(name)\"\(NearestName.hint(name, among: header))")
      }
      cells.append(cell)
    }
    return BoundHeader(cells: cells, columns: columns)
  }
}

/// Collects fields and columns of a plan's map.
private struct Binder {
  let target: ImportTarget
  var fields: [FieldPath] = []
  var columns: [BoundColumn] = []

  init(target: ImportTarget) { self.target = target }

  mutating func bind(_ mapping: PlanMapping) throws(BindingFault) {
    let name = mapping.attribute
    guard let property = target.entity.property(named: name), property.isColumn else {
      throw BindingFault(
        "map.\(name): no attribute of \(target.entity.name)"
          + NearestName.hint(name, among: target.columnNames))
    }
    guard !columns.contains(where: { $0.name == name }) else {
      throw BindingFault("map.\(name): given twice")
    }
    columns.append(
      BoundColumn(
        property: property.id, name: name, isRequired: target.isRequired(property),
        rule: try rule(mapping, property)))
  }

  private mutating func rule(
    _ mapping: PlanMapping, _ property: PropertySchema
  ) throws(BindingFault) -> BoundColumn.Rule {
    let place = "map.\(mapping.attribute)"
    switch mapping.rule {
    case .toOne(let toOne):
      guard let destination = target.schema.destination(of: property),
        destination.name == toOne.entity
      else {
        let leads = property.relationship.map { "leads to \($0.destination)" } ?? "is an attribute"
        throw BindingFault("\(place): it \(leads), not to \(toOne.entity)")
      }
      return .key(try keyRule(toOne, destination, place))
    case .field(let field):
      guard let type = property.attributeType else {
        throw BindingFault(
          "\(place): a relationship needs {\"entity\": …, \"key\": {…}}")
      }
      return .field(try fieldRule(field, type, place))
    }
  }

  private mutating func keyRule(
    _ toOne: PlanToOne, _ destination: EntitySchema, _ place: String
  ) throws(BindingFault) -> KeyRule {
    let names = toOne.key.map(\.attribute)
    guard
      let constraint = destination.uniqueConstraints.first(where: { Set($0) == Set(names) }),
      constraint.count == names.count
    else {
      let known = destination.uniqueConstraints.map { $0.joined(separator: ",") }
      throw BindingFault(
        "\(place).key: \(destination.name) has no unique constraint on "
          + "\(names.joined(separator: ",")); it has: \(known.joined(separator: "; "))")
    }
    var rule = KeyRule(
      entity: destination.id, constraint: [], parts: [], createsMissing: toOne.createsMissing)
    for name in constraint {
      guard let part = toOne.key.first(where: { $0.attribute == name }),
        let property = destination.property(named: name), let type = property.attributeType
      else { throw BindingFault("\(place).key: \(name) is no attribute of \(destination.name)") }
      rule.constraint.append(property.id)
      rule.parts.append(try fieldRule(part.field, type, "\(place).key.\(name)"))
    }
    return rule
  }

  private mutating func fieldRule(
    _ field: PlanField, _ type: AttributeType, _ place: String
  ) throws(BindingFault) -> FieldRule {
    var slots: [Int] = []
    for path in field.paths {
      if let known = fields.firstIndex(of: path) {
        slots.append(known)
      } else {
        fields.append(path)
        slots.append(fields.count - 1)
      }
    }
    guard let literal = field.fallback else { return FieldRule(slots: slots, type: type) }
    do throws(CellFault) {
      return FieldRule(slots: slots, type: type, fallback: try literal.packed(as: type))
    } catch {
      throw BindingFault("\(place): \(error.reason)")
    }
  }
}
