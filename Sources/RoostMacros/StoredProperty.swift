import SwiftSyntax
import SwiftSyntaxMacros

/// A stored property of a model class, as the source spells it.
struct StoredProperty {
  let name: String
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let isConstant: Bool

  var type: TypeSyntax? { binding.typeAnnotation?.type }
  var value: ExprSyntax? { binding.initializer?.value }
  var isTransient: Bool { attribute("Transient") != nil }
  var relationship: AttributeSyntax? { attribute("Relationship") }
  var attributes: [AttributeSyntax] {
    declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }
  }
  /// The name without the backticks of a keyword.
  var plainName: String { name.filter { $0 != "`" } }

  func attribute(_ name: String) -> AttributeSyntax? {
    attributes.first { $0.shortName == name }
  }

  var isOptionalType: Bool {
    guard let type else { return false }
    if type.is(OptionalTypeSyntax.self) { return true }
    if type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return true }
    return type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }

  /// nil for what is not stored in instances: computed, static and hidden properties.
  init?(_ declaration: VariableDeclSyntax) {
    guard !declaration.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }),
      let binding = declaration.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
      !StoredProperty.isComputed(binding)
    else { return nil }
    name = pattern.identifier.text
    guard !name.hasPrefix("_$") else { return nil }
    self.declaration = declaration
    self.binding = binding
    isConstant = declaration.bindingSpecifier.tokenKind == .keyword(.let)
  }

  var hasObservers: Bool {
    guard case .accessors(let accessors)? = binding.accessorBlock?.accessors else { return false }
    return accessors.contains {
      ["willSet", "didSet"].contains($0.accessorSpecifier.text)
    }
  }

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    guard let block = binding.accessorBlock else { return false }
    switch block.accessors {
    case .getter: return true
    case .accessors(let accessors):
      return accessors.contains {
        !["willSet", "didSet"].contains($0.accessorSpecifier.text)
      }
    @unknown default: return true
    }
  }
}

extension AttributeSyntax {
  /// `Attribute` for `@Attribute`, `@SwiftData.Attribute` and `@Attribute(.unique)` alike.
  var shortName: String {
    let text = attributeName.trimmedDescription
    return text.split(separator: ".").last.map(String.init) ?? text
  }

  var argumentText: String? {
    guard let arguments, !arguments.trimmedDescription.isEmpty else { return nil }
    return arguments.trimmedDescription
  }
}

extension DeclGroupSyntax {
  /// Properties with a slot in the record, in source order, which is the order of slots.
  var persistedProperties: [StoredProperty] {
    memberBlock.members.compactMap { member in
      guard let variable = member.decl.as(VariableDeclSyntax.self),
        variable.bindings.count == 1, let property = StoredProperty(variable),
        !property.isTransient
      else { return nil }
      return property.isConstant && property.value != nil ? nil : property
    }
  }
}
