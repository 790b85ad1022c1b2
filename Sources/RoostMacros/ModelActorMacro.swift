import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ModelActor`: an actor whose jobs run beside a context of its own.
enum ModelActorMacro {
  struct NotAnActor: DiagnosticMessage {
    let message = "@ModelActor works on actors only"
    let severity = DiagnosticSeverity.error
    let diagnosticID = MessageID(domain: "Roost", id: "notAnActor")
  }
}

extension ModelActorMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let actor = declaration.as(ActorDeclSyntax.self) else {
      context.diagnose(Diagnostic(node: Syntax(node), message: NotAnActor()))
      return []
    }
    let isPublic = actor.modifiers.contains { $0.name.text == "public" }
    let access = isPublic ? "public " : ""
    var members: [DeclSyntax] = [
      "\(raw: access)nonisolated let modelExecutor: any ModelExecutor",
      "\(raw: access)nonisolated let modelContainer: ModelContainer",
    ]
    if !actor.hasOwnInitializer {
      members.append(
        """
        \(raw: access)init(modelContainer: ModelContainer) {
          self.modelExecutor = DefaultSerialModelExecutor(
            modelContext: ModelContext(modelContainer))
          self.modelContainer = modelContainer
        }
        """)
    }
    return members
  }
}

extension ModelActorMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(ActorDeclSyntax.self) else { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): ModelActor {}")]
  }
}

extension ActorDeclSyntax {
  /// Whether the actor spells the very initializer the macro would add.
  fileprivate var hasOwnInitializer: Bool {
    memberBlock.members.contains { member in
      guard let initializer = member.decl.as(InitializerDeclSyntax.self) else { return false }
      let parameters = initializer.signature.parameterClause.parameters
      return parameters.count == 1 && parameters.first?.firstName.text == "modelContainer"
    }
  }
}
