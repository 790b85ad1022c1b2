public import SwiftData

/// Loads feed files in the background, without blocking who reads.
@ModelActor
public actor FlightLoader {
  /// Loads airports and saves them.
  public func load(airports data: Data) throws {
    var importer = FeedImporter(modelContext)
    try importer.add(EnrouteFeed.airports(data))
    try modelContext.save()
  }

  /// Loads airlines and saves them.
  public func load(airlines data: Data) throws {
    var importer = FeedImporter(modelContext)
    try importer.add(EnrouteFeed.airlines(data))
    try modelContext.save()
  }

  /// Loads a page of flights and saves it.
  public func load(flights data: Data) throws {
    var importer = FeedImporter(modelContext)
    try importer.add(FlightFeed.decode(data).flights)
    try modelContext.save()
  }
}

/// The store of the flight app.
public enum EnrouteStore {
  /// Its models.
  public static var models: [any PersistentModel.Type] {
    [Flight.self, Airport.self, Airline.self]
  }

  /// A container in a file.
  public static func container(at url: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(models), configurations: ModelConfiguration(url: url))
  }

  /// A container in memory, for previews and tests.
  public static func inMemory() throws -> ModelContainer {
    try ModelContainer(
      for: Schema(models), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }
}
