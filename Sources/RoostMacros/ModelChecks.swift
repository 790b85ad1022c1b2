import SwiftSyntax
import SwiftSyntaxMacros

/// What cannot work in a model class, found before the compiler trips over the expansion.
struct ModelChecks<Context: MacroExpansionContext> {
  let context: Context

  private static var wrappers: Set<String> {
    [
      "Published", "State", "StateObject", "ObservedObject", "Binding", "AppStorage",
      "SceneStorage", "Environment", "EnvironmentObject", "FocusState", "Query", "UserDefault",
      "Clamped", "Lazy", "Injected",
    ]
  }

  func check(_ model: ClassDeclSyntax) {
    checkInitializer(model)
    for member in model.memberBlock.members {
      if let variable = member.decl.as(VariableDeclSyntax.self) { check(variable) }
      if let macro = member.decl.as(MacroExpansionDeclSyntax.self) { check(macro) }
    }
  }

  private func checkInitializer(_ model: ClassDeclSyntax) {
    let hasInitializer = model.memberBlock.members.contains {
      $0.decl.is(InitializerDeclSyntax.self)
    }
    if !hasInitializer { context.report(.noInitializer(model.name.text), at: model.name) }
  }

  private func check(_ macro: MacroExpansionDeclSyntax) {
    guard ["Unique", "Index"].contains(macro.macroName.text) else { return }
    if macro.arguments.isEmpty { context.report(.wrongConstraint(macro.macroName.text), at: macro) }
  }

  private func check(_ variable: VariableDeclSyntax) {
    if variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) {
      return
    }
    if variable.bindings.count > 1 {
      context.report(.severalBindings, at: variable)
      return
    }
    if let binding = variable.bindings.first, !binding.pattern.is(IdentifierPatternSyntax.self) {
      context.report(.tuplePattern, at: binding)
      return
    }
    guard let property = StoredProperty(variable) else { return }
    if property.isTransient { checkTransient(property) } else { checkPersisted(property) }
  }

  private func checkTransient(_ property: StoredProperty) {
    if property.value == nil, !property.isOptionalType {
      context.report(.transientWithoutValue(property.plainName), at: property.binding)
    }
  }

  private func checkPersisted(_ property: StoredProperty) {
    let name = property.plainName
    for modifier in property.declaration.modifiers {
      switch modifier.name.text {
      case "lazy": context.report(.lazyProperty(name), at: modifier)
      case "weak", "unowned": context.report(.weakProperty(name), at: modifier)
      default: break
      }
    }
    for attribute in property.attributes where Self.wrappers.contains(attribute.shortName) {
      context.report(.propertyWrapper(name, wrapper: attribute.shortName), at: attribute)
    }
    if property.hasObservers { context.report(.observers(name), at: property.binding) }
    if property.isConstant {
      checkConstant(property)
    } else if property.type == nil, property.value == nil {
      context.report(.missingType(name), at: property.binding)
    }
  }

  private func checkConstant(_ property: StoredProperty) {
    if let relationship = property.relationship {
      context.report(.constantRelationship(property.plainName), at: relationship)
    } else if property.value != nil {
      context.report(.constantWithValue(property.plainName), at: property.binding)
    }
  }
}
