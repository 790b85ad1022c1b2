import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Something `@Model` cannot make work, said where it stands and with what would be right.
enum ModelDiagnostic: DiagnosticMessage {
  case notAClass(String)
  case generic(String)
  case noInitializer(String)
  case lazyProperty(String)
  case weakProperty(String)
  case propertyWrapper(String, wrapper: String)
  case observers(String)
  case severalBindings
  case constantRelationship(String)
  case constantWithValue(String)
  case transientWithoutValue(String)
  case missingType(String)
  case tuplePattern
  case wrongConstraint(String)

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID {
    MessageID(domain: "Roost", id: String(describing: self).prefix { $0 != "(" }.description)
  }

  var message: String {
    switch self {
    case .notAClass(let kind):
      "@Model works on classes only, not on \(kind): a model has identity and is changed in place"
    case .generic(let name):
      "@Model does not work on the generic class '\(name)': one entity needs one set of columns"
    case .noInitializer(let name):
      "@Model requires an initializer: add an 'init' to '\(name)' that sets its properties"
    case .lazyProperty(let name):
      "'\(name)' cannot be lazy in a model: mark it @Transient or make it computed"
    case .weakProperty(let name):
      "'\(name)' cannot be weak or unowned in a model: relationships do not own what they point to"
    case .propertyWrapper(let name, let wrapper):
      "the property wrapper @\(wrapper) cannot be stored: mark '\(name)' @Transient"
    case .observers(let name):
      "'\(name)' is stored by its model, so willSet and didSet would never run: "
        + "mark it @Transient, or use a computed property over it"
    case .severalBindings:
      "declare each stored property of a model on a line of its own, each with its type"
    case .constantRelationship(let name):
      "the relationship '\(name)' cannot be 'let': its other side changes it; use "
        + "'private(set) var'"
    case .constantWithValue(let name):
      "'\(name)' is a constant with a value and would not be read back from the store: "
        + "make it 'static let', 'var', or @Transient"
    case .transientWithoutValue(let name):
      "the transient property '\(name)' needs a default value or an optional type: it is not "
        + "stored and starts anew in every fetched object"
    case .missingType(let name):
      "'\(name)' needs a type annotation or a default value"
    case .tuplePattern:
      "a model stores single properties, not tuples taken apart"
    case .wrongConstraint(let name):
      "#\(name) takes lists of key paths: #\(name)<Flight>([\\.ident], [\\.carrier, \\.number])"
    }
  }
}

extension MacroExpansionContext {
  func report(_ diagnostic: ModelDiagnostic, at node: some SyntaxProtocol) {
    diagnose(Diagnostic(node: Syntax(node), message: diagnostic))
  }
}
