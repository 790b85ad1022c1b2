@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Finds a macro's implementation by the name its declaration gives.
struct MacroProvider: PluginProvider {
  struct UnknownMacro: Error { let name: String }

  private static var macros: [any Macro.Type] {
    [
      ModelMacro.self, PersistedPropertyMacro.self, AttributeMacro.self, RelationshipMacro.self,
      TransientMacro.self, UniqueMacro.self, IndexMacro.self, ModelActorMacro.self,
      PredicateMacro.self,
    ]
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    for macro in MacroProvider.macros where String(describing: macro) == typeName { return macro }
    throw UnknownMacro(name: moduleName + "." + typeName)
  }
}

@main
struct Plugin {
  static func main() throws {
    let listener = try CompilerPluginMessageListener(
      connection: StandardIOMessageConnection(),
      messageHandler: PluginProviderMessageHandler(provider: MacroProvider()))
    try listener.main()
  }
}
