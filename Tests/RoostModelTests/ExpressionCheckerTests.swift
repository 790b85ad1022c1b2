import RoostModel
import RoostTestSupport
import Testing

@Suite("ExpressionChecker")
struct ExpressionCheckerTests {
  private let schema = SampleSchema.all

  private func path(_ properties: PropertyID...) -> QueryExpression {
    .path(PropertyPath(properties))
  }

  @Test(arguments: [
    (QueryExpression.path(PropertyPath([99])), "`property(99)`: Item has no property 99"),
    (.path(PropertyPath([14, 99])), "`owner.property(99)`: Owner has no property 99"),
    (.compare(.equal, .path(PropertyPath([14, 0, 1])), .literal(.int(1))), "has no property 0"),
  ])
  func namesAnUnknownProperty(expression: QueryExpression, message: String) throws {
    let error = try refused(expression)
    #expect((error.status, error.detail) == (.invalidArgument, .unknownColumn))
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test(arguments: [
    (QueryExpression.path(PropertyPath([1])), "`name` is String, not a condition"),
    (.path(PropertyPath(scope: 1, [1])), "not in scope"),
    (
      .compare(.less, .path(PropertyPath([1])), .path(PropertyPath([3]))),
      "`name < size` compares String with Int"
    ),
    (.compare(.equal, .path(PropertyPath([6])), .path(PropertyPath([3]))), "UInt64 with Int"),
    (.compare(.equal, .path(PropertyPath([14])), .path(PropertyPath([15]))), "Owner with Item"),
    (.compare(.less, .path(PropertyPath([14])), .literal(.null)), "order"),
    (.compare(.less, .path(PropertyPath([13])), .path(PropertyPath([13]))), "order"),
    (.compare(.equal, .path(PropertyPath([1])), .literal(.list([]))), "not a value"),
    (.compare(.equal, .path(PropertyPath([9])), .literal(.double(.nan))), "Decimal with Double"),
    (.isIn(.path(PropertyPath([1])), [.int(1)]), "looks for Int among String"),
    (.isIn(.path(PropertyPath([1])), [.map([])]), "not a value"),
    (.isNil(.path(PropertyPath([16]))), "to-many"),
    (.isNil(.path(PropertyPath([1, 1]))), "goes through name"),
    (.isNil(.arithmetic(.add, .path(PropertyPath([1])), .path(PropertyPath([1])))), "no result"),
    (
      .isNil(.arithmetic(.remainder, .path(PropertyPath([9])), .path(PropertyPath([9])))),
      "no result"
    ),
    (
      .isNil(.arithmetic(.multiply, .path(PropertyPath([10])), .path(PropertyPath([3])))),
      "no result"
    ),
    (.isNil(.function(.fold, [])), "one argument"),
    (.isNil(.function(.length, [.path(PropertyPath([1])), .literal(.null)])), "one argument"),
    (.isNil(.function(.length, [.path(PropertyPath([3]))])), "not text"),
    (.isNil(.function(.negate, [.path(PropertyPath([6]))])), "signed number"),
    (.isNil(.cast(.path(PropertyPath([1])), to: .uuid)), "turns String into UUID"),
    (.isNil(.coalesce(.path(PropertyPath([1])), .path(PropertyPath([3])))), "gives String or Int"),
    (
      .textTest(.contains, .path(PropertyPath([3])), .literal(.text("")), folded: false),
      "not text"
    ),
    (.toMany(.any, PropertyPath([14]), .and([])), "to-many"),
    (.compare(.equal, .count(PropertyPath([1]), nil), .literal(.int(1))), "to-many"),
    (.toMany(.any, PropertyPath([16]), .path(PropertyPath([1]))), "not a condition"),
  ])
  func quotesWhatItRefuses(expression: QueryExpression, message: String) throws {
    let error = try refused(expression)
    #expect((error.status, error.detail) == (.invalidArgument, .unsupportedExpression))
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test func refusesTreesBeyondTheLimits() throws {
    var deep = path(5)
    for _ in 0..<100_000 { deep = .not(deep) }
    #expect(try refused(deep).detail == .expressionTooLarge)
    #expect(
      try refused(.and(Array(repeating: path(5), count: Limits.expressionNodesMax))).detail
        == .expressionTooLarge)
    let values = Array(repeating: Value.int(1), count: Limits.listValuesMax + 1)
    #expect(try refused(.isIn(path(3), values)).detail == .expressionTooLarge)
    dismantle(&deep)
  }

  @Test func takesTreesAtTheLimits() throws {
    let checker = ExpressionChecker(schema: schema, entity: 1)
    var deep = path(5)
    for _ in 1..<Limits.expressionDepthMax { deep = .not(deep) }
    _ = try checker.condition(deep)
    _ = try checker.condition(
      .and(Array(repeating: path(5), count: Limits.expressionNodesMax - 1)))
    let values = Array(repeating: Value.int(1), count: Limits.listValuesMax)
    _ = try checker.condition(.isIn(path(3), values))
  }

  @Test func literalsTakeTheTypeBesideThem() throws {
    let checker = ExpressionChecker(schema: schema, entity: 1)
    let typed = try checker.condition(.compare(.equal, path(9), .literal(.int(5))))
    guard case .compare(_, let domain, _, let literal) = typed.node else {
      Issue.record("\(typed)")
      return
    }
    #expect(domain == .decimal)
    #expect(literal.literal == .decimal("5"))
    let unsigned = try checker.condition(.compare(.less, path(6), .literal(.int(-1))))
    guard case .compare(_, .unsigned, _, _) = unsigned.node else {
      Issue.record("\(unsigned)")
      return
    }
  }

  @Test func checksEveryPartOfAQuery() throws {
    #expect(try refused(Query(entity: 9)).detail == .unknownEntity)
    #expect(try refused(Query(entity: 1, limit: -1)).detail == .badValue)
    #expect(try refused(Query(entity: 1, offset: -1)).detail == .badValue)
    let byOwner = Query(entity: 1, sort: [SortKey(path(14))])
    #expect(try refused(byOwner).detail == .unsupportedExpression)
    #expect(try refused(Query(entity: 1, selection: .properties([99]))).detail == .unknownColumn)
    #expect(
      try refused(Query(entity: 1, selection: .properties([16]))).detail == .unsupportedExpression)
    #expect(
      try refused(Query(entity: 1, selection: .expressions([path(99)]))).detail == .unknownColumn)
  }

  private func refused(_ expression: QueryExpression) throws -> StoreError {
    try #require(throws: StoreError.self) {
      try ExpressionChecker(schema: schema, entity: 1).condition(expression)
    }
  }

  private func refused(_ query: Query) throws -> StoreError {
    try #require(throws: StoreError.self) {
      try ExpressionChecker.check(query, schema: schema)
    }
  }

  /// Releases a tree level by level: letting go of it at once would recurse as deep as it is.
  private func dismantle(_ expression: inout QueryExpression) {
    while case .not(let inner) = expression { expression = inner }
  }
}
