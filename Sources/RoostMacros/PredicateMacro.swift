import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `#Predicate` over models: Foundation's, plus what its macro refuses on Linux.
///
/// `other.evaluate(x)` becomes a call that Foundation's macro accepts and passes on to a
/// `build_` function, which is ours for a predicate on the left.
enum PredicateMacro: ExpressionMacro {
  static func expansion(
    of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
  ) throws -> ExprSyntax {
    let generics = node.genericArgumentClause?.trimmedDescription ?? ""
    let rewriter = EvaluateRewriter()
    if let closure = node.trailingClosure {
      let rewritten = rewriter.visit(closure)
      return "#Foundation::Predicate\(raw: generics) \(rewritten)"
    }
    let arguments = rewriter.visit(node.arguments)
    return "#Foundation::Predicate\(raw: generics)(\(arguments))"
  }
}

private final class EvaluateRewriter: SyntaxRewriter {
  override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
    let visited = super.visit(node)
    guard var call = visited.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
      call.arguments.first?.label == nil, call.trailingClosure == nil,
      var member = call.calledExpression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "evaluate", member.base != nil
    else { return visited }
    member.declName.baseName = .identifier("localizedCompare")
    call.calledExpression = ExprSyntax(member)
    return ExprSyntax(call)
  }
}
