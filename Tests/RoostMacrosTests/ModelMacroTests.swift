import Testing

/// A class that cannot be a model, and words its diagnostic must contain.
struct Refusal: Sendable, CustomTestStringConvertible {
  let source: String
  let words: [String]
  var testDescription: String { source }

  init(_ source: String, _ words: String...) {
    self.source = source
    self.words = words
  }

  static let all = [
    Refusal("@Model struct A { var x: Int }", "classes only", "a struct"),
    Refusal("@Model enum A { case x }", "classes only", "an enum"),
    Refusal("@Model actor A { var x = 1 }", "classes only", "an actor"),
    Refusal("@Model class A<T> { var x: Int; init() { x = 1 } }", "generic", "'A'"),
    Refusal("@Model class A { var x = 1 }", "requires an initializer", "'A'"),
    Refusal("@Model class A { lazy var x = 1; init() {} }", "'x'", "lazy"),
    Refusal("@Model class A { weak var x: B?; init() {} }", "'x'", "weak"),
    Refusal("@Model class A { @Published var x = 1; init() {} }", "@Published", "'x'"),
    Refusal("@Model class A { var x = 1 { didSet { } }; init() {} }", "'x'", "didSet"),
    Refusal("@Model class A { var x = 1, y = 2; init() {} }", "a line of its own"),
    Refusal("@Model class A { var (x, y) = (1, 2); init() {} }", "tuples"),
    Refusal("@Model class A { @Relationship let b: B; init(b: B) { self.b = b } }", "'b'", "let"),
    Refusal("@Model class A { let x = 1; init() {} }", "'x'", "static let"),
    Refusal("@Model class A { @Transient var x: Int; init() { x = 1 } }", "'x'", "default"),
    Refusal("@Model class A { #Unique<A>(); init() {} }", "#Unique", "key paths"),
    Refusal("@ModelActor class A {}", "actors only"),
  ]
}

@Suite struct ModelMacroTests {
  @Test(arguments: Refusal.all) func saysWhyItCannotWork(_ refusal: Refusal) {
    let messages = Expansion(refusal.source).diagnostics
    #expect(messages.count == 1, "\(messages)")
    for word in refusal.words {
      #expect(messages.contains { $0.contains(word) }, "'\(word)' is not in \(messages)")
    }
  }

  @Test func accessorsNameTheirSlot() {
    let expansion = Expansion(
      """
      @Model final class A {
        static var shared = 1
        var first: Int
        @Transient var skipped = 0
        var computed: Int { 1 }
        var `default`: String = ""
        let constant: Int
        init() {}
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.text.contains("_$get(0, \\A.first)"))
    #expect(expansion.text.contains("_$set(1, \\A.`default`, newValue)"))
    #expect(expansion.text.contains("private var _default = ModelMarker()"))
    #expect(expansion.text.contains("self.constant = _$record.constant(2)"))
    #expect(!expansion.text.contains("_skipped") && !expansion.text.contains("_computed"))
    #expect(!expansion.text.contains("required init"))
  }

  @Test func membersHaveTheClassesAccess() {
    let open = Expansion("@Model public class A { public var x: Int = 1; public init() {} }")
    #expect(open.text.contains("public static let _$description"))
    #expect(open.text.contains("public required init(_$record: ModelRecord)"))
    let closed = Expansion("@Model final class A { var x: Int = 1; init() {} }")
    #expect(!closed.text.contains("public"))
  }

  @Test func onlyConstantDefaultsGoIntoTheSchema() {
    let text = Expansion(
      """
      @Model final class A {
        var one = 1
        var date = Date()
        var negative = -2.5
        var level = Level.high
        var now = Date.now
        init() {}
      }
      """
    ).text
    #expect(text.contains(#"schema.add("one", \A.one, value: 1)"#))
    #expect(text.contains(#"schema.add("date", \A.date, value: nil)"#))
    #expect(text.contains(#"schema.add("negative", \A.negative, value: -2.5)"#))
    #expect(text.contains(#"schema.add("level", \A.level, value: Level.high)"#))
    #expect(text.contains(#"schema.add("now", \A.now, value: nil)"#))
  }

  @Test func modelActorsGetWhatTheyLack() {
    let plain = Expansion("@ModelActor actor A {}").text
    #expect(plain.contains("init(modelContainer: ModelContainer)"))
    #expect(plain.contains("nonisolated let modelExecutor: any ModelExecutor"))
    let own = Expansion("@ModelActor actor A { init(modelContainer: ModelContainer) {} }").text
    #expect(own.ranges(of: "init(modelContainer").count == 1)
  }
}
