/// What an expression gives, as far as its parts other than literals say it.
///
/// Literals in the text form take their type from what stands beside them. The printer and the
/// binder both ask here, so a literal that is printed is read back as the same value.
struct ExpressionTyping {
  let paths: PathResolver

  /// nil where only literals decide.
  func type(of expression: QueryExpression) -> ExpressionType? {
    switch expression {
    case .literal: nil
    case .path(let path): pathType(path)
    case .compare, .and, .or, .not, .isIn, .isNil, .textTest, .toMany: .attribute(.bool)
    case .coalesce(let first, let second): type(of: first) ?? type(of: second)
    case .conditional(_, let then, let other): type(of: then) ?? type(of: other)
    case .arithmetic(let operation, let lhs, let rhs):
      arithmeticType(operation, type(of: lhs), type(of: rhs))
    case .function(.fold, _), .function(.lowercased, _), .function(.uppercased, _):
      .attribute(.text)
    case .function(.length, _), .count: .attribute(.int)
    case .function(.absolute, let arguments), .function(.negate, let arguments):
      arguments.first.flatMap { type(of: $0) }
    case .cast(_, let type): .attribute(type)
    }
  }

  private func pathType(_ path: PropertyPath) -> ExpressionType? {
    guard let (resolved, last) = try? paths.resolve(path) else { return nil }
    guard let last else {
      return resolved.properties.isEmpty ? .reference(resolved.root) : .attribute(.int)
    }
    switch last.kind {
    case .attribute(let type): return .attribute(type)
    case .relationship(let relationship):
      return (try? paths.destination(relationship)).map { .reference($0) }
    }
  }

  private func arithmeticType(
    _ operation: ArithmeticOperator, _ lhs: ExpressionType?, _ rhs: ExpressionType?
  ) -> ExpressionType? {
    let date = ExpressionType.attribute(.date)
    if lhs == date, rhs == date, operation == .subtract { return .attribute(.double) }
    if lhs == date || rhs == date { return date }
    if rhs == .attribute(.double) { return rhs }
    return lhs ?? rhs
  }
}
