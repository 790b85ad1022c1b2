import Enroute
import Foundation
import Roost
import RoostImport
import RoostModel
import Testing

/// The schema file that `roost serve` gets, beside the models it was written from.
@Suite struct EnrouteSchemaTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "LoadTests/Data/enroute-schema.json")

  /// By name: the order of entities and properties means nothing.
  private func sorted(_ schema: StoreSchema) -> [EntitySchema] {
    schema.entities.map { entity in
      var entity = entity
      entity.properties.sort { $0.name < $1.name }
      return entity
    }.sorted { $0.name < $1.name }
  }

  @Test func theFileIsTheSchemaOfTheModels() throws {
    let bytes = [UInt8](try Data(contentsOf: Self.file))
    let file = sorted(try SchemaFile.read(try JSONDocument.read(bytes)))
    let models = sorted(StoreSchema(models: [Flight.self, Airport.self, Airline.self]))
    #expect(file.map(\.name) == ["Airline", "Airport", "Flight"])
    for (file, model) in zip(file, models) { #expect(file == model) }
    #expect(file.count == models.count)
  }
}
