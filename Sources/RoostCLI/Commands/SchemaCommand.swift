import RoostClient
import RoostImport
import RoostModel

/// `roost schema`: what a store holds.
struct SchemaCommand: Command {
  static let spec = CommandSpec(
    name: "schema",
    usages: ["schema URL [--json]"],
    summary: "print the store's entities",
    options: [OptionSpec("json", nil, "as a file for roost serve --schema")],
    examples: ["schema roost://127.0.0.1:7678 --json > schema.json"])

  private let url: RoostURL
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    url = try arguments.url(try arguments.exactly("URL")[0])
    isJSON = arguments.has("json")
  }

  func run(_ console: Console) async throws -> Int32 {
    let schema = try await withClient(url) { try await $0.schema() }
    if isJSON {
      try console.write(SchemaFile.document(schema).prettyText + "\n")
    } else {
      let style = Style(isColoured: console.outputWidth != nil)
      try console.write(SchemaText(style).text(schema))
    }
    return ExitCode.done
  }
}

/// A schema for people.
struct SchemaText {
  private let style: Style

  init(_ style: Style) { self.style = style }

  func text(_ schema: StoreSchema) -> String {
    if schema.entities.isEmpty { return "no entities yet\n" }
    return schema.entities.map(text).joined(separator: "\n")
  }

  func text(_ entity: EntitySchema) -> String {
    let keys = entity.uniqueConstraints.map { $0.joined(separator: ",") }
    let indexes = entity.indexes.map { $0.joined(separator: ",") }
    var head = style.bold(entity.name)
    if !keys.isEmpty { head += style.dim("  unique \(keys.joined(separator: "; "))") }
    if !indexes.isEmpty { head += style.dim("  index \(indexes.joined(separator: "; "))") }
    let width = entity.properties.map { DisplayWidth.of($0.name) }.max() ?? 0
    let lines = entity.properties.map { property in
      let gap = String(repeating: " ", count: width - DisplayWidth.of(property.name))
      return "  \(property.name)\(gap)  \(kind(property))"
    }
    return ([head] + lines).joined(separator: "\n") + "\n"
  }

  private func kind(_ property: PropertySchema) -> String {
    let optional = property.isOptional ? "?" : ""
    switch property.kind {
    case .attribute(let type):
      let value = property.defaultValue.flatMap { ValueText.text($0) }
      return type.name + optional + (value.map { style.dim(" = \($0)") } ?? "")
    case .relationship(let relationship):
      let name = relationship.destination
      var text = relationship.isToMany ? "→ [\(name)]" : "→ \(name)\(optional)"
      if let inverse = relationship.inverse { text += style.dim("  inverse \(inverse)") }
      if relationship.deleteRule != .nullify {
        text += style.dim("  on delete \(relationship.deleteRule.word)")
      }
      return text
    }
  }
}
