// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

/// Settings of every target of ours: Swift 6 mode, warnings are errors, imports say their access.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The toolchain's own SwiftSyntax, found from the `swift` on PATH: no outside package is needed.
let syntaxHost: String = {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  for folder in path.split(separator: ":") {
    let swift = URL(fileURLWithPath: String(folder)).appendingPathComponent("swift")
      .resolvingSymlinksInPath()
    let host = swift.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("lib/swift/host").path
    if FileManager.default.fileExists(atPath: host + "/SwiftSyntax.swiftmodule") { return host }
  }
  return ""
}()
let syntaxLibraries = [
  "SwiftSyntax", "SwiftSyntaxMacros", "SwiftSyntaxBuilder", "SwiftDiagnostics",
  "SwiftSyntaxMacroExpansion", "SwiftCompilerPluginMessageHandling", "SwiftParser",
  "SwiftBasicFormat", "SwiftOperators", "SwiftIfConfig",
]

func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], path: String? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["RoostTestSupport"], path: path ?? "Tests/\(name)",
    swiftSettings: strict)
}

let products: [Product] = [
  .library(name: "Roost", targets: ["Roost"]),
  .library(name: "SwiftData", targets: ["SwiftData"]),
  .library(name: "RoostServer", targets: ["RoostServer"]),
  .library(name: "RoostClient", targets: ["RoostClient"]),
  .executable(name: "roost", targets: ["RoostMain"]),
  .executable(name: "roost-load", targets: ["RoostLoadMain"]),
  .executable(name: "roost-bench", targets: ["RoostBenchMain"]),
]

let system: [Target] = [
  .systemLibrary(
    name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(
    name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  .target(name: "CLinux"),
  .target(name: "CObservation"),
]

let syntaxImport: SwiftSetting = .unsafeFlags(["-I", syntaxHost])
let syntaxLinks: [String] =
  ["-L", syntaxHost, "-Xlinker", "-rpath", "-Xlinker", syntaxHost]
  + syntaxLibraries.map { "-l" + $0 }

let plugin: Target = .macro(
  name: "RoostMacros", swiftSettings: strict + [syntaxImport],
  linkerSettings: [.unsafeFlags(syntaxLinks)])

let rooms: [Target] = [
  room("RoostSQLite", ["CSQLite"]),
  room("RoostModel"),
  room("RoostStorage", ["RoostModel", "RoostSQLite"]),
  room("Roost", ["CObservation", "RoostMacros", "RoostModel", "RoostStorage"]),
  room("SwiftData", ["Roost"]),
  room("RoostWire", ["CZlib", "RoostModel"]),
  room("RoostTransport", ["CLinux"]),
  room("RoostAdmin", ["CMicrohttpd"]),
  room(
    "RoostServer",
    ["Roost", "RoostAdmin", "RoostModel", "RoostStorage", "RoostTransport", "RoostWire"]),
  room(
    "RoostClient",
    [
      .target(name: "CLinux", condition: .when(platforms: [.linux])), "Roost", "RoostModel",
      "RoostWire",
    ]),
  room("RoostImport", ["RoostModel"]),
  room("Enroute", ["SwiftData"]),
  room("RoostCLI", ["RoostClient", "RoostImport", "RoostModel", "RoostServer"]),
  .target(
    name: "RoostLoad", dependencies: ["RoostClient", "RoostImport", "RoostModel"],
    path: "LoadTests/Sources", swiftSettings: strict),
  .target(
    name: "RoostBench", dependencies: ["Roost", "RoostModel", "RoostSQLite"],
    path: "LoadTests/InProcess/Sources", swiftSettings: strict),
  // The mains stand apart: a test target may be compiled before the module of an executable.
  .executableTarget(name: "RoostMain", dependencies: ["RoostCLI"], swiftSettings: strict),
  .executableTarget(
    name: "RoostLoadMain", dependencies: ["RoostLoad"], path: "LoadTests/Main",
    swiftSettings: strict),
  .executableTarget(
    name: "RoostBenchMain", dependencies: ["RoostBench"], path: "LoadTests/InProcess/Main",
    swiftSettings: strict),
]

let suites: [Target] = [
  .target(
    name: "RoostTestSupport", dependencies: ["RoostModel"], path: "Tests/Support",
    swiftSettings: strict),
  tests("RoostModelTests", ["RoostModel"]),
  tests("RoostSQLiteTests", ["RoostSQLite"]),
  .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
  tests(
    "RoostStorageTests", ["CSQLite", "FaultyDisk", "RoostModel", "RoostSQLite", "RoostStorage"]),
  .testTarget(
    name: "RoostMacrosTests", dependencies: ["RoostMacros"], path: "Tests/RoostMacrosTests",
    swiftSettings: strict + [syntaxImport], linkerSettings: [.unsafeFlags(syntaxLinks)]),
  tests("RoostTests", ["Roost", "RoostModel", "RoostStorage", "SwiftData"]),
  tests("RoostWireTests", ["RoostModel", "RoostWire"]),
  tests("RoostTransportTests", ["RoostTransport"]),
  tests("RoostAdminTests", ["RoostAdmin"]),
  tests(
    "RoostServerTests",
    [
      "Roost", "RoostAdmin", "RoostModel", "RoostServer", "RoostStorage", "RoostTransport",
      "RoostWire",
    ]),
  tests("RoostClientTests", ["RoostClient", "RoostModel", "RoostServer", "RoostWire"]),
  tests("RoostImportTests", ["RoostImport", "RoostModel"]),
  tests("RoostCLITests", ["RoostCLI", "RoostClient", "RoostImport", "RoostModel", "RoostServer"]),
  tests("RoostLoadTests", ["RoostClient", "RoostLoad", "RoostModel", "RoostServer"]),
  tests("RoostBenchTests", ["RoostBench"]),
  tests(
    "EndToEnd",
    [
      "Enroute", "Roost", "RoostCLI", "RoostClient", "RoostImport", "RoostMain", "RoostModel",
      "RoostServer", "RoostStorage", "RoostWire", "SwiftData",
    ]),
  tests(
    "Crash",
    ["RoostClient", "RoostMain", "RoostModel", "RoostSQLite", "RoostStorage"]),
  tests("Tidy", []),
]

/// `ROOST_TESTS=RoostTests,RoostWireTests` builds only these suites: a quick turn on one room.
let wantedSuites = ProcessInfo.processInfo.environment["ROOST_TESTS"]?.split(separator: ",")
  .map(String.init)
let chosenSuites = suites.filter {
  wantedSuites?.contains($0.name) ?? true || ["FaultyDisk", "RoostTestSupport"].contains($0.name)
}

let targets: [Target] = system + [plugin] + rooms + chosenSuites
let package = Package(name: "Roost", products: products, targets: targets)
