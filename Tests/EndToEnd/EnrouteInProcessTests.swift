import Enroute
import Foundation
import Roost
import Testing

/// The four files of the flight app, where `ROOST_ENROUTE_DATA` says.
private struct EnrouteFiles {
  let folder: URL

  static let here: EnrouteFiles? = ProcessInfo.processInfo.environment["ROOST_ENROUTE_DATA"]
    .map { EnrouteFiles(folder: URL(fileURLWithPath: $0, isDirectory: true)) }
    .flatMap { files in
      FileManager.default.fileExists(atPath: files.folder.path + "/SFO4.json") ? files : nil
    }

  func data(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
  }
}

/// product.md's figures for the four files.
private func expectGroundTruth(
  _ container: ModelContainer, enroute: Int, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let context = ModelContext(container)
  func count(_ predicate: Predicate<Flight>) throws -> Int {
    try context.fetchCount(FetchDescriptor<Flight>(predicate: predicate))
  }
  func expect(_ figure: Int, _ expected: Int, _ what: Comment) {
    #expect(figure == expected, what, sourceLocation: sourceLocation)
  }
  expect(try context.fetchCount(FetchDescriptor<Airport>()), 203, "airports")
  expect(try context.fetchCount(FetchDescriptor<Airline>()), 84, "airlines")
  expect(try context.fetchCount(FetchDescriptor<Flight>()), 349, "flights")
  expect(try count(#Predicate { $0.origin?.icao == "KSFO" }), 92, "from KSFO")
  expect(
    try count(#Predicate { $0.airline?.code == "UAL" && $0.destination?.icao == "KORD" }), 32,
    "UAL to KORD")
  expect(try count(#Predicate { $0.aircraftType == "Unknown" }), 1, "without aircraft type")
  expect(try count(#Predicate { $0.filedAirspeed == 0 }), 2, "without airspeed")
  expect(
    try count(#Predicate { $0.actualOff != nil && $0.actualOn == nil }), enroute, "enroute")
  let used = FetchDescriptor<Airport>(
    predicate: #Predicate { !$0.flightsFrom.isEmpty || !$0.flightsTo.isEmpty })
  expect(try context.fetchCount(used), 123, "airports in flights")
  var longest = FetchDescriptor<Flight>(
    sortBy: [SortDescriptor(\.routeDistance, order: .reverse)])
  longest.fetchLimit = 1
  let flight = try #require(try context.fetch(longest).first)
  #expect(flight.ident == "CSN438", sourceLocation: sourceLocation)
  expect(flight.routeDistance, 8_472, "miles of the longest")
}

@Suite(.enabled(if: EnrouteFiles.here != nil)) struct EnrouteInProcessTests {
  @Test(arguments: [["SFO4", "ORD1"], ["ORD1", "SFO4"]])
  func loadsInTheBackground(_ pages: [String]) async throws {
    let files = try #require(EnrouteFiles.here)
    let container = try EnrouteStore.inMemory()
    for _ in 0..<2 {
      let loader = FlightLoader(modelContainer: container)
      for page in pages { try await loader.load(flights: files.data(page)) }
      try await loader.load(airports: files.data("AIRPORTS"))
      try await loader.load(airlines: files.data("AIRLINES"))
    }
    try expectGroundTruth(container, enroute: pages.last == "SFO4" ? 101 : 102)
  }

  @Test func loadsConcurrently() async throws {
    let files = try #require(EnrouteFiles.here)
    let container = try EnrouteStore.inMemory()
    let reference = FlightLoader(modelContainer: container)
    let (airports, airlines) = (try files.data("AIRPORTS"), try files.data("AIRLINES"))
    try await reference.load(airports: airports)
    try await reference.load(airlines: airlines)
    let (first, second) = (try files.data("SFO4"), try files.data("ORD1"))
    async let one: Void = FlightLoader(modelContainer: container).load(flights: first)
    async let two: Void = FlightLoader(modelContainer: container).load(flights: second)
    _ = try await (one, two)
    // Which page came last decides about three flights, so say it by one more load.
    try await FlightLoader(modelContainer: container).load(flights: second)
    try expectGroundTruth(container, enroute: 102)
  }

  @MainActor @Test func loadsOnTheMainActorWithAutosaveAlone() async throws {
    let files = try #require(EnrouteFiles.here)
    let container = try EnrouteStore.inMemory()
    let context = container.mainContext
    var importer = FeedImporter(context)
    try importer.add(EnrouteFeed.airports(files.data("AIRPORTS")))
    try importer.add(EnrouteFeed.airlines(files.data("AIRLINES")))
    try importer.add(FlightFeed.decode(files.data("ORD1")).flights)
    try importer.add(FlightFeed.decode(files.data("SFO4")).flights)
    #expect(context.hasChanges)
    // Bounded: each turn lets the autosave, which waits for the main actor, run.
    for _ in 0..<1_000 where context.hasChanges { await Task.yield() }
    #expect(!context.hasChanges)
    #expect(context.autosaveError == nil)
    try expectGroundTruth(container, enroute: 101)
  }
}
