import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_PersistedProperty(slot)`: accessors that go straight to the record's slot.
enum PersistedPropertyMacro {
  private static func slot(of node: AttributeSyntax) -> String {
    node.argumentText ?? "0"
  }
}

extension PersistedPropertyMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = StoredProperty(variable),
      let model = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.name.text
    else { return [] }
    let slot = slot(of: node)
    let name = property.name
    return [
      """
      @storageRestrictions(accesses: _$storage, initializes: _\(raw: property.plainName))
      init(initialValue) {
        _$storage.initialize(\(raw: model)._$description, \(raw: slot), initialValue)
        _\(raw: property.plainName) = ModelMarker()
      }
      """,
      "get { _$get(\(raw: slot), \\\(raw: model).\(raw: name)) }",
      "set { _$set(\(raw: slot), \\\(raw: model).\(raw: name), newValue) }",
    ]
  }
}

extension PersistedPropertyMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = StoredProperty(variable)
    else { return [] }
    return ["private var _\(raw: property.plainName) = ModelMarker()"]
  }
}
