import RoostImport
import RoostModel

/// The columns that a JSON object names, as a write takes them.
struct RowAssignments {
  private let schema: StoreSchema
  private let entity: EntitySchema

  init(_ entity: EntitySchema, in schema: StoreSchema) {
    self.entity = entity
    self.schema = schema
  }

  func assignments(_ object: JSONValue) throws(CommandFault) -> [Assignment] {
    guard case .object(let members) = object else {
      throw CommandFault("a row is a JSON object, not \(object.kindName)")
    }
    var assignments: [Assignment] = []
    for member in members {
      guard let property = entity.property(named: member.key) else {
        let names = entity.properties.filter(\.isColumn).map(\.name)
        throw CommandFault(
          "\"\(member.key)\" is no attribute of \(entity.name)"
            + NearestName.hint(member.key, among: names))
      }
      guard !assignments.contains(where: { $0.property == property.id }) else {
        throw CommandFault(
          "\"\(member.key)\" is named twice; a row has one value of each attribute")
      }
      assignments.append(Assignment(property.id, try value(member.value, property)))
    }
    return assignments
  }

  private func value(
    _ json: JSONValue, _ property: PropertySchema
  ) throws(CommandFault) -> Value {
    do throws(CellFault) {
      if let type = property.attributeType { return try json.value(as: type) }
      guard property.isColumn else {
        throw CellFault("it is a to-many; put the other side's to-one instead")
      }
      return try reference(json, property)
    } catch {
      throw CommandFault("\(property.name): \(error.reason)")
    }
  }

  /// `"KJFK"`, `{"icao": "KJFK"}`, `"#7"` or null.
  private func reference(
    _ json: JSONValue, _ property: PropertySchema
  ) throws(CellFault) -> Value {
    guard let destination = schema.destination(of: property) else {
      throw CellFault("it leads to an unknown entity")
    }
    switch json {
    case .null: return .null
    case .object(let members):
      return try key(members.map { ($0.key, $0.value) }, destination)
    case .string(let text) where text.hasPrefix("#") && Int64(text.dropFirst()) != nil:
      return .reference(RowReference(entity: destination.id, row: Int64(text.dropFirst()) ?? 0))
    default:
      guard let name = destination.uniqueConstraints.first(where: { $0.count == 1 })?.first else {
        throw CellFault("\(destination.name) has no key of one attribute; write \"#7\" or {…}")
      }
      return try key([(name, json)], destination)
    }
  }

  private func key(
    _ members: [(name: String, value: JSONValue)], _ destination: EntitySchema
  ) throws(CellFault) -> Value {
    let names = members.map(\.name)
    guard
      let constraint = destination.uniqueConstraints.first(where: { Set($0) == Set(names) }),
      constraint.count == names.count
    else {
      throw CellFault(
        "\(destination.name) has no unique constraint on \(names.joined(separator: ","))")
    }
    var reference = KeyReference(
      entity: destination.id, constraint: [], values: [], createsMissing: false)
    for name in constraint {
      guard let property = destination.property(named: name), let type = property.attributeType,
        let json = members.first(where: { $0.name == name })?.value
      else { throw CellFault("\(name) is no attribute of \(destination.name)") }
      reference.constraint.append(property.id)
      reference.values.append(try json.value(as: type))
    }
    return .key(reference)
  }
}
