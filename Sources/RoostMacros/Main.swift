@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Finds a macro's implementation by the name its declaration gives.
struct MacroProvider: PluginProvider {
  struct UnknownMacro: Error { let name: String }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
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
