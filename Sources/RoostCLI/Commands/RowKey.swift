import RoostImport
import RoostModel

/// How a row is named on the command line: `#7`, or the parts of its key joined by commas.
enum RowKey: Hashable {
  case row(Int64)
  case key([Value])

  /// Reads a key of the entity's first unique constraint; a part with a comma stands in quotes.
  init(_ text: String, of entity: EntitySchema) throws(CommandFault) {
    if text.hasPrefix("#") {
      guard let row = Int64(text.dropFirst()), row > 0 else {
        throw CommandFault("\(text): a row's number reads like #7")
      }
      self = .row(row)
      return
    }
    guard let names = entity.uniqueConstraints.first else {
      throw CommandFault("\(entity.name) has no key; name its rows by number, such as #7")
    }
    let parts = names.count == 1 ? [text] : try RowKey.parts(text)
    guard parts.count == names.count else {
      throw CommandFault(
        "\"\(text)\" has \(parts.count) parts; the key of \(entity.name) is "
          + names.joined(separator: ","))
    }
    var values: [Value] = []
    for (part, name) in zip(parts, names) {
      values.append(try RowKey.value(part, name, of: entity))
    }
    self = .key(values)
  }

  private static func parts(_ text: String) throws(CommandFault) -> [String] {
    do throws(InputFault) {
      return try CSVReader.cells(of: text)
    } catch {
      throw CommandFault("\"\(text)\": \(error.reason)")
    }
  }

  private static func value(
    _ text: String, _ name: String, of entity: EntitySchema
  ) throws(CommandFault) -> Value {
    guard let type = entity.property(named: name)?.attributeType else {
      throw CommandFault("\(entity.name).\(name) is no attribute; name the row by number")
    }
    do throws(CellFault) {
      return try CellText.value(text, as: type)
    } catch {
      throw CommandFault("\(name): \(error.reason)")
    }
  }
}

extension StoreSchema {
  /// The entity, or a fault that names the nearest one.
  func requiredEntity(_ name: String) throws(CommandFault) -> EntitySchema {
    guard let entity = entity(named: name) else {
      throw CommandFault(
        "there is no entity \"\(name)\"\(NearestName.hint(name, among: entities.map(\.name)))")
    }
    return entity
  }
}

extension EntitySchema {
  /// Identifiers of a unique constraint's properties.
  func constraint(_ names: [String]) -> [PropertyID] {
    names.compactMap { property(named: $0)?.id }
  }
}
