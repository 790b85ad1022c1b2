import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: turns a class's stored properties into accessors over its record.
enum ModelMacro {}

extension ModelMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let model = ModelDeclaration(declaration, node: node, context: context) else { return [] }
    return model.members()
  }
}

extension ModelMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(ClassDeclSyntax.self),
      let variable = member.as(VariableDeclSyntax.self), variable.bindings.count == 1,
      let property = StoredProperty(variable), !property.isTransient, !property.isConstant,
      !property.hasObservers,
      let slot = declaration.persistedProperties.firstIndex(where: { $0.name == property.name })
    else { return [] }
    return ["@_PersistedProperty(\(raw: slot))"]
  }
}

extension ModelMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let model = declaration.as(ClassDeclSyntax.self), model.genericParameterClause == nil
    else { return [] }
    var extensions = [
      try ExtensionDeclSyntax("extension \(type.trimmed): PersistentModel, Observable {}")
    ]
    let inherited = model.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    if !inherited.contains(where: { $0.hasSuffix("Sendable") }) {
      extensions.append(
        try ExtensionDeclSyntax(
          """
          @available(*, unavailable, message: "A model belongs to its context: \
          pass its persistentModelID to another actor, or work in a ModelActor")
          extension \(type.trimmed): Sendable {}
          """))
    }
    return extensions
  }
}
