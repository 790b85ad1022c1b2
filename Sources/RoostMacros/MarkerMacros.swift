import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that only marks its declaration for `@Model` to read.
protocol MarkerMacro: PeerMacro {}

extension MarkerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}

enum AttributeMacro: MarkerMacro {}
enum RelationshipMacro: MarkerMacro {}
enum TransientMacro: MarkerMacro {}

/// A constraint inside a model class, read by `@Model`.
protocol ConstraintMacro: DeclarationMacro {}

extension ConstraintMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}

enum UniqueMacro: ConstraintMacro {}
enum IndexMacro: ConstraintMacro {}
