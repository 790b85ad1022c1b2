import Foundation
import RoostImport
import RoostModel
import RoostServer
import Synchronization
import Testing

@testable import RoostCLI

/// Where FlightAware's own files are, on machines that have them.
private let enrouteFolder = ProcessInfo.processInfo.environment["ROOST_ENROUTE_DATA"]

/// `LoadTests/Data` of this repository.
private let dataFolder = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "LoadTests/Data").path

/// Files into a served store by the command line, and the figures that must come out by query.
@Suite @MainActor struct GroundTruthTests {
  /// Runs a command in this process and gives its output; its exit code must be 0.
  private func roost(_ arguments: String...) async -> String {
    let output = Mutex<[UInt8]>([])
    let console = Console(
      output: { bytes in
        output.withLock { $0 += bytes }
        return true
      },
      errors: { bytes in
        Issue.record("\(String(decoding: bytes, as: UTF8.self))")
        return true
      })
    let code = await Roost.run(arguments, console)
    #expect(code == ExitCode.done, "roost \(arguments.joined(separator: " "))")
    return String(decoding: output.withLock { $0 }, as: UTF8.self)
  }

  private func withServer(_ body: @MainActor (_ url: String) async throws -> Void) async throws {
    let bytes = try InputFile.readAll("\(dataFolder)/enroute-schema.json", bytesMax: 1 << 20)
    let server = try RoostServer(
      ServerConfiguration(
        store: .memory, port: 0, durability: .relaxed,
        schema: try SchemaFile.read(try JSONDocument.read(bytes))))
    try server.start()
    do {
      try await body("roost://127.0.0.1:\(server.port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func count(_ url: String, _ query: String) async -> Int? {
    Int(await roost("query", url, query, "--count").dropLast())
  }

  /// A plan like the repository's with its sources and files in another order.
  private func plan(
    _ order: [Int], flights: [String], in folder: String
  ) throws -> String {
    let bytes = try InputFile.readAll("\(dataFolder)/flightaware-plan.json", bytesMax: 1 << 20)
    let document = try JSONDocument.read(bytes)
    guard case .array(let sources)? = document["sources"] else {
      throw CommandFault("the plan has no sources")
    }
    let files = JSONMember("files", .array(flights.map { .string($0) }))
    let reordered = order.map { index -> JSONValue in
      guard sources[index]["entity"] == .string("Flight"),
        case .object(let members) = sources[index]
      else { return sources[index] }
      return .object(members.filter { $0.key != "files" } + [files])
    }
    let path = folder + "/plan.json"
    let text = JSONValue.object([JSONMember("sources", .array(reordered))]).canonicalText
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  nonisolated static let orders: [([Int], [String], Int)] = [
    ([0, 1, 2], ["SFO4.json", "ORD1.json"], 102), ([2, 1, 0], ["ORD1.json", "SFO4.json"], 101),
    ([1, 2, 0], ["SFO4.json", "ORD1.json"], 102), ([2, 0, 1], ["ORD1.json", "SFO4.json"], 101),
  ]

  @Test(.enabled(if: enrouteFolder != nil), arguments: orders)
  func theFourFilesGiveTheirFiguresInAnyOrderTwice(
    _ order: [Int], _ flights: [String], _ enroute: Int
  ) async throws {
    let data = try #require(enrouteFolder)
    let folder = FileManager.default.temporaryDirectory.path + "/roost-plan-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let plan = try plan(order, flights: flights, in: folder)
    try await withServer { url in
      for _ in 0..<2 {
        let report = await roost("import", url, plan, "--base", data, "--json")
        #expect(report.hasPrefix("{\"rows\":647,\"accepted\":647,\"rejected\":0,"))
        try await checkFigures(url)
        let underWay = "Flight where actualOff != nil && actualOn == nil"
        #expect(await count(url, underWay) == enroute)
      }
    }
  }

  private func checkFigures(_ url: String) async throws {
    #expect(await count(url, "Airport") == 203)
    #expect(await count(url, "Airline") == 84)
    #expect(await count(url, "Flight") == 349)
    #expect(await count(url, "Flight where origin.icao == \"KSFO\"") == 92)
    let toChicago = "Flight where airline.code == \"UAL\" && destination.icao == \"KORD\""
    #expect(await count(url, toChicago) == 32)
    #expect(await count(url, "Flight where aircraftType == \"Unknown\"") == 1)
    #expect(await count(url, "Flight where filedAirspeed == 0") == 2)
    let used = "Airport where flightsFrom.count > 0 || flightsTo.count > 0"
    #expect(await count(url, used) == 123)
    #expect(await count(url, "Airport where name == nil || city == nil") == 0)
    let longest = "Flight sort routeDistance desc limit 1 select ident, routeDistance"
    #expect(await roost("query", url, longest, "--csv") == "ident,routeDistance\nCSN438,8472\n")
    let united =
      "Airport where flightsTo.contains { $0.airline.code == \"UAL\" }"
    #expect(await count(url, united) ?? 0 > 10)
  }

  @Test func theSampleGoesInTwiceAndAnswers() async throws {
    try await withServer { url in
      for _ in 0..<2 {
        _ = await roost("import", url, "\(dataFolder)/enroute-plan.json")
        #expect(await count(url, "Airport") == 71)
        #expect(await count(url, "Airline") == 16)
        #expect(await count(url, "Flight") == 328)
        #expect(await count(url, "Flight where destination.icao == \"KORD\"") == 18)
        #expect(await count(url, "Flight where actualOff != nil && actualOn == nil") == 90)
        #expect(
          await count(url, "Airport where flightsFrom.count == 0 && flightsTo.count == 0") == 0)
      }
    }
  }

  @Test func whatWasPrintedAsCSVGoesInAgain() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/roost-csv-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var printed: [String: String] = [:]
    let entities = ["Airport", "Airline", "Flight"]
    let keys = ["Airport": "icao", "Airline": "code", "Flight": "ident"]
    try await withServer { url in
      _ = await roost("import", url, "\(dataFolder)/enroute-plan.json")
      for entity in entities {
        let text = await roost("query", url, "\(entity) sort \(keys[entity] ?? "")", "--csv")
        printed[entity] = text
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(entity).csv"))
      }
    }
    try await withServer { url in
      for entity in entities {
        let key = keys[entity] ?? ""
        _ = await roost(
          "import", url, "\(folder)/\(entity).csv", "--entity", entity, "--key", key)
        #expect(await roost("query", url, "\(entity) sort \(key)", "--csv") == printed[entity])
      }
    }
  }
}
