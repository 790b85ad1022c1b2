import Foundation
import RoostClient
import SwiftData
import Testing

/// The models of the README's example, as they stand there.
enum Readme {
  @Model final class Airport {
    @Attribute(.unique) var icao: String
    var name: String
    @Relationship(inverse: \Flight.origin) var flightsFrom: [Flight] = []
    init(icao: String, name: String) { self.icao = icao; self.name = name }
  }
  @Model final class Flight {
    @Attribute(.unique) var ident: String
    var distance: Int
    var origin: Airport?
    init(ident: String, distance: Int) { self.ident = ident; self.distance = distance }
  }
}

extension Readme {
  @Suite("The README's example")
  struct ReadmeTests {
    @MainActor @Test func fetchesInProcess() throws {
      let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
      let container = try ModelContainer(
        for: Airport.self, Flight.self, configurations: configuration)
      let airport = Airport(icao: "KSFO", name: "San Francisco")
      for (ident, distance) in [("A", 900), ("B", 1_200)] {
        let flight = Flight(ident: ident, distance: distance)
        flight.origin = airport
        container.mainContext.insert(flight)
      }
      try container.mainContext.save()
      let long = #Predicate<Flight> { $0.origin?.icao == "KSFO" && $0.distance > 1000 }
      let flights = try container.mainContext.fetch(FetchDescriptor(predicate: long))
      #expect(flights.map(\.ident) == ["B"])
      #expect(airport.flightsFrom.count == 2)
    }

    @MainActor @Test func fetchesFromAServer() async throws {
      try await Served.run { served in
        let client = try await RoostClient.connect(served.url)
        defer { client.close() }
        let context = try await RemoteContext(client, for: Airport.self, Flight.self)
        let flight = Flight(ident: "C", distance: 2_000)
        flight.origin = Airport(icao: "KSFO", name: "San Francisco")
        context.insert(flight)
        try await context.save()
        let long = #Predicate<Flight> { $0.origin?.icao == "KSFO" && $0.distance > 1000 }
        let remote = try await context.fetch(FetchDescriptor(predicate: long))
        #expect(remote.map(\.ident) == ["C"])
      }
    }

    /// The models and the predicate are compiled here, so the README cannot drift from what works.
    @Test func theReadmeShowsWhatIsTestedHere() throws {
      let source = URL(fileURLWithPath: #filePath)
      let root = source.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let readme = try String(
        contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
      let tested = try String(contentsOf: source, encoding: .utf8)
      let block = try #require(readme.components(separatedBy: "```swift\n").dropFirst().first)
        .components(separatedBy: "```")[0]
      for line in block.split(separator: "\n")
      where line.contains("class") || line.contains("#Pred") {
        #expect(tested.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
      }
    }
  }
}
