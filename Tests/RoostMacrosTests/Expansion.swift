import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import RoostMacros

/// What the macros make of a source, without the compiler.
struct Expansion {
  let text: String
  /// Messages in source order.
  let diagnostics: [String]

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Sample", fullFilePath: "Sample.swift")])
    let expanded = file.expand(
      macros: [
        "Model": ModelMacro.self, "_PersistedProperty": PersistedPropertyMacro.self,
        "Attribute": AttributeMacro.self, "Relationship": RelationshipMacro.self,
        "Transient": TransientMacro.self, "Unique": UniqueMacro.self, "Index": IndexMacro.self,
        "ModelActor": ModelActorMacro.self,
      ],
      contextGenerator: { syntax in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
      })
    text = expanded.description
    diagnostics = context.diagnostics.map(\.message)
  }
}
