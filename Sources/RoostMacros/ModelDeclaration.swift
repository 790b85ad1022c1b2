import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A class under `@Model` that passed the checks, and the members it gets.
struct ModelDeclaration {
  let name: String
  let access: String
  let isFinal: Bool
  let properties: [StoredProperty]
  let constraints: [MacroExpansionDeclSyntax]

  /// nil after reporting why the macro cannot work.
  init?(
    _ declaration: some DeclGroupSyntax, node: AttributeSyntax,
    context: some MacroExpansionContext
  ) {
    guard let model = declaration.as(ClassDeclSyntax.self) else {
      context.report(.notAClass(declaration.kindName), at: node)
      return nil
    }
    name = model.name.text
    if let generic = model.genericParameterClause {
      context.report(.generic(name), at: generic)
      return nil
    }
    let modifiers = model.modifiers.map { $0.name.text }
    isFinal = modifiers.contains("final")
    access =
      if modifiers.contains("public") || modifiers.contains("open") {
        "public "
      } else if modifiers.contains("package") { "package " } else { "" }
    properties = declaration.persistedProperties
    constraints = model.memberBlock.members.compactMap {
      $0.decl.as(MacroExpansionDeclSyntax.self)
    }.filter { ["Unique", "Index"].contains($0.macroName.text) }
    ModelChecks(context: context).check(model)
  }

  func members() -> [DeclSyntax] {
    let description: DeclSyntax =
      "\(raw: access)static let _$description = ModelDescription(\(raw: name).self)"
    // Only Roost touches the storage, and never hands it out: nothing to check at each access.
    let storage: DeclSyntax =
      "@exclusivity(unchecked) \(raw: access)var _$storage = ModelStorage()"
    return [storage, description, metadata(), initializer(), constants()]
  }

  private func metadata() -> DeclSyntax {
    var lines = properties.map { property -> String in
      var text = "schema.add(\"\(property.plainName)\", \\\(name).\(property.name)"
      text += ", value: \(property.schemaValue)"
      if let attribute = property.schemaAttribute { text += ", attribute: \(attribute)" }
      if let relationship = property.relationship {
        text += ", relationship: Schema.Relationship(\(relationship.argumentText ?? ""))"
      }
      return text + (property.isConstant ? ", isConstant: true)" : ")")
    }
    for constraint in constraints {
      let verb = constraint.macroName.text == "Unique" ? "unique" : "index"
      lines.append("schema.\(verb)(\(constraint.arguments.trimmedDescription))")
    }
    let body = lines.map { "  " + $0 }.joined(separator: "\n")
    let binding = lines.isEmpty ? "let" : "var"
    return """
      \(raw: access)static var schemaMetadata: [Schema.PropertyMetadata] {
        \(raw: binding) schema = SchemaBuilder<\(raw: name)>()
      \(raw: body)
        return schema.metadata
      }
      """
  }

  private func initializer() -> DeclSyntax {
    var lines = ["self._$storage = ModelStorage(_$record)"]
    for (slot, property) in properties.enumerated() {
      if property.isConstant {
        lines.append("self.\(property.name) = _$record.constant(\(slot))")
      } else if !property.hasObservers {
        lines.append("self._\(property.plainName) = ModelMarker()")
      }
    }
    let body = lines.map { "  " + $0 }.joined(separator: "\n")
    return """
      \(raw: access)\(raw: isFinal ? "" : "required ")init(_$record: ModelRecord) {
      \(raw: body)
      }
      """
  }

  private func constants() -> DeclSyntax {
    let lines = properties.enumerated().filter { $0.element.isConstant }.map {
      "  _$storage.storeConstant(\(name)._$description, \($0.offset), \($0.element.name))"
    }
    return """
      \(raw: access)func _$storeConstants() {
      \(raw: lines.joined(separator: "\n"))
      }
      """
  }
}

extension StoredProperty {
  /// `Schema.Attribute(…)` with the arguments of every `@Attribute` on the property.
  fileprivate var schemaAttribute: String? {
    let all = attributes.filter { $0.shortName == "Attribute" }.compactMap(\.argumentText)
    guard !all.isEmpty else { return nil }
    // Options come before labelled arguments, whichever attribute they stood in.
    let parts = all.flatMap { $0.split(separator: ",") }.map {
      $0.trimmingPrefix { $0.isWhitespace }
    }
    let options = parts.filter { !$0.contains(":") || $0.contains("(") }
    let labelled = parts.filter { $0.contains(":") && !$0.contains("(") }
    return "Schema.Attribute(\((options + labelled).joined(separator: ", ")))"
  }

  /// The default as the schema's value for rows that are older than the property.
  ///
  /// Only what gives the same value every time: `Date()` or `UUID()` would freeze one for all rows.
  fileprivate var schemaValue: String {
    guard let value, value.isConstantExpression else { return "nil" }
    return value.trimmedDescription
  }
}

extension ExprSyntax {
  fileprivate var isConstantExpression: Bool {
    switch kind {
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr,
      .simpleStringLiteralExpr, .memberAccessExpr:
      return !trimmedDescription.contains("now")
    case .stringLiteralExpr:
      return !trimmedDescription.contains("\\(")
    case .prefixOperatorExpr:
      return self.as(PrefixOperatorExprSyntax.self)?.expression.isConstantExpression == true
    case .arrayExpr:
      return self.as(ArrayExprSyntax.self)?.elements
        .allSatisfy { $0.expression.isConstantExpression } == true
    default:
      return false
    }
  }
}

extension DeclGroupSyntax {
  fileprivate var kindName: String {
    switch kind {
    case .structDecl: "a struct"
    case .enumDecl: "an enum"
    case .actorDecl: "an actor"
    case .protocolDecl: "a protocol"
    default: "an extension"
    }
  }
}
