import Foundation
import Roost
import RoostClient
import RoostModel
import RoostServer
import Testing

@Suite @MainActor struct RemoteContextTests {
  /// A context of the ships on a fresh server, and a second one beside it.
  private func withContexts(
    _ body: (RemoteContext, RemoteContext) async throws -> Void
  ) async throws {
    try await Served.run { served in
      let client = try await RoostClient.connect(served.url)
      defer { client.close() }
      let first = try await RemoteContext(client, for: Ship.self)
      let second = try await RemoteContext(client, for: Ship.self, mode: .check)
      try await body(first, second)
    }
  }

  @Test func whatOneContextSavesAnotherFetches() async throws {
    try await withContexts { first, second in
      let harbor = Harbor(code: "HAM", name: "Hamburg")
      let ship = Ship(callSign: "DLXX", name: "Möwe", tons: 12.5, home: harbor)
      ship.launched = Date(timeIntervalSinceReferenceDate: 1_000.25)
      ship.flags = ["de", "eu"]
      first.insert(ship)
      #expect(first.hasChanges)
      try await first.save()
      #expect(!first.hasChanges)
      let found = try await second.fetch(
        FetchDescriptor<Ship>(predicate: #Predicate { $0.home?.code == "HAM" && $0.tons > 10 }))
      let read = try #require(found.first)
      #expect(found.count == 1)
      #expect(read.callSign == "DLXX" && read.name == "Möwe" && read.tons == 12.5)
      #expect(read.launched == ship.launched && read.flags == ["de", "eu"])
      #expect(read.home?.name == "Hamburg")
      #expect(read.persistentModelID == ship.persistentModelID)
      #expect(read.persistentModelID.storeIdentifier != nil)
    }
  }

  @Test func identifiersOfOneSaveLeadToOneAnother() async throws {
    try await withContexts { first, second in
      let harbor = Harbor(code: "KEL", name: "Kiel")
      for number in 0..<50 {
        first.insert(Ship(callSign: "S\(number)", name: "Ship \(number)", home: harbor))
      }
      let temporary = harbor.persistentModelID
      try await first.save()
      for id in [temporary, harbor.persistentModelID] {
        let known: Harbor? = first.registeredModel(for: id)
        #expect(known === harbor)
      }
      #expect(try await second.fetchCount(FetchDescriptor<Ship>()) == 50)
      let harbors = try await second.fetch(FetchDescriptor<Harbor>())
      #expect(harbors.map(\.code) == ["KEL"])
      let ships = try await second.load(harbors[0], \.ships)
      #expect(ships.count == 50)
      #expect(ships.allSatisfy { $0.home === harbors[0] })
    }
  }

  @Test func aUniqueValueThatExistsIsUpdated() async throws {
    try await withContexts { first, second in
      first.insert(Ship(callSign: "DLXX", name: "Old", tons: 1))
      try await first.save()
      let newer = Ship(callSign: "DLXX", name: "New", tons: 2)
      second.insert(newer)
      try await second.save()
      #expect(try await second.fetchCount(FetchDescriptor<Ship>()) == 1)
      let ships = try await first.fetch(FetchDescriptor<Ship>())
      #expect(ships.map(\.name) == ["New"] && ships[0].tons == 2)
      #expect(ships[0].persistentModelID == newer.persistentModelID)
    }
  }

  @Test func changesAreSavedAndSeen() async throws {
    try await withContexts { first, second in
      let ship = Ship(callSign: "A", name: "Alpha")
      first.insert(ship)
      try await first.save()
      let other = try #require(try await second.fetch(FetchDescriptor<Ship>()).first)
      other.name = "Beta"
      #expect(second.hasChanges)
      try await second.save()
      #expect(ship.name == "Alpha")
      _ = try await first.fetch(FetchDescriptor<Ship>())
      #expect(ship.name == "Beta")
    }
  }

  @Test func rollbackDropsWhatIsPending() async throws {
    try await withContexts { first, _ in
      let ship = Ship(callSign: "A", name: "Alpha")
      first.insert(ship)
      try await first.save()
      ship.name = "Beta"
      first.insert(Ship(callSign: "B", name: "Other"))
      first.rollback()
      #expect(!first.hasChanges && ship.name == "Alpha")
      first.delete(ship)
      first.rollback()
      try await first.save()
      #expect(try await first.fetchCount(FetchDescriptor<Ship>()) == 1)
    }
  }

  @Test func deleteRulesHoldAlsoForWhatIsNotLoaded() async throws {
    try await withContexts { first, second in
      let harbor = Harbor(code: "HAM", name: "Hamburg")
      for number in 0..<3 { first.insert(Berth(number: number, harbor: harbor)) }
      let ship = Ship(callSign: "A", name: "Alpha", home: harbor)
      first.insert(ship)
      try await first.save()
      let other = try #require(try await second.fetch(FetchDescriptor<Harbor>()).first)
      second.delete(other)
      #expect(try await second.fetch(FetchDescriptor<Harbor>()).isEmpty)
      try await second.save()
      #expect(try await first.fetchCount(FetchDescriptor<Berth>()) == 0)
      let ships = try await first.fetch(FetchDescriptor<Ship>())
      #expect(ships.count == 1 && ships[0].home == nil)
    }
  }

  @Test func prefetchedToManysAreThereAtOnceOthersWhenLoaded() async throws {
    try await withContexts { first, second in
      let anna = Sailor(name: "Anna")
      let ben = Sailor(name: "Ben")
      for (sign, crew) in [("A", [anna, ben]), ("B", [ben]), ("C", [])] {
        let ship = Ship(callSign: sign, name: sign)
        first.insert(ship)
        ship.crew = crew
      }
      try await first.save()
      var descriptor = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.callSign)])
      let bare = try await second.fetch(descriptor)
      #expect(bare.map(\.crew.count) == [0, 0, 0])
      descriptor.relationshipKeyPathsForPrefetching = [\.crew]
      let full = try await second.fetch(descriptor)
      #expect(full.map { $0.crew.map(\.name).sorted() } == [["Anna", "Ben"], ["Ben"], []])
      #expect(full[0] === bare[0])
      let sailor = try #require(full[1].crew.first)
      #expect(sailor === full[0].crew.first { $0.name == "Ben" })
      #expect(try await second.load(sailor, \.served).map(\.name).sorted() == ["A", "B"])
    }
  }

  @Test func linksOfManyToManyAreAddedAndRemoved() async throws {
    try await withContexts { first, second in
      let ship = Ship(callSign: "A", name: "A")
      first.insert(ship)
      let anna = Sailor(name: "Anna")
      let ben = Sailor(name: "Ben")
      ship.crew = [anna, ben]
      try await first.save()
      ship.crew = [ben]
      try await first.save()
      let other = try #require(try await second.fetch(FetchDescriptor<Ship>()).first)
      #expect(try await second.load(other, \.crew).map(\.name) == ["Ben"])
    }
  }

  @Test func aMemberAddedToAListThatIsNotLoadedStaysKnown() async throws {
    try await withContexts { first, second in
      let ship = Ship(callSign: "A", name: "A")
      first.insert(ship)
      ship.crew = [Sailor(name: "Anna")]
      try await first.save()
      let other = try #require(try await second.fetch(FetchDescriptor<Ship>()).first)
      other.crew.append(Sailor(name: "Ben"))
      #expect(other.crew.map(\.name) == ["Ben"])
      try await second.save()
      #expect(other.crew.map(\.name) == ["Ben"])
      #expect(try await second.load(other, \.crew).map(\.name) == ["Anna", "Ben"])
      other.crew = []
      try await second.save()
      #expect(try await first.load(ship, \.crew).isEmpty)
    }
  }

  @Test func whatIsNotLoadedReadsAsWhatIsKnown() async throws {
    try await withContexts { first, second in
      let harbor = Harbor(code: "HAM", name: "Hamburg")
      let ship = Ship(callSign: "A", name: "Alpha", home: harbor)
      ship.crew = [Sailor(name: "Anna")]
      first.insert(ship)
      try await first.save()
      let sailor = try #require(try await second.fetch(FetchDescriptor<Sailor>()).first)
      #expect(sailor.served.isEmpty)
      let ships = try await second.load(sailor, \.served)
      // The ship came, its home did not: it is named, but nothing else of it is known.
      #expect(ships.map(\.name) == ["Alpha"])
      let home = ships[0].home
      #expect(home?.persistentModelID == harbor.persistentModelID)
      #expect(home?.name == "")
      #expect(try await second.load(ships[0], \.home)?.name == "Hamburg")
      #expect(home?.name == "Hamburg")
    }
  }

  @Test func aModelIsFoundByItsIdentifier() async throws {
    try await withContexts { first, second in
      let ship = Ship(callSign: "A", name: "Alpha")
      first.insert(ship)
      try await first.save()
      let id = ship.persistentModelID
      let none: Ship? = second.registeredModel(for: id)
      #expect(none == nil)
      let found: Ship? = try await second.model(for: id)
      #expect(found?.name == "Alpha")
      #expect(try await second.model(for: id, as: Harbor.self) == nil)
      first.delete(ship)
      try await first.save()
      let gone: Ship? = try await second.model(for: id)
      #expect(gone == nil)
      let error = await #expect(throws: ClientError.self) {
        if let found { try await second.load(found, \.crew) }
      }
      #expect(error?.code == .status(.notFound))
    }
  }

  @Test func aRefusedSaveLeavesEverythingPending() async throws {
    try await withContexts { first, second in
      let ship = Ship(callSign: "A", name: "Alpha")
      first.insert(ship)
      try await first.save()
      let other = try #require(try await second.fetch(FetchDescriptor<Ship>()).first)
      first.delete(ship)
      try await first.save()
      other.name = "Beta"
      second.insert(Ship(callSign: "B", name: "New"))
      let error = await #expect(throws: ClientError.self) { try await second.save() }
      #expect(error?.code == .status(.notFound))
      #expect(second.hasChanges && other.name == "Beta")
      #expect(try await first.fetchCount(FetchDescriptor<Ship>()) == 0)
      second.rollback()
      #expect(!second.hasChanges)
    }
  }

  @Test func whatChangesDuringASaveStaysPending() async throws {
    try await withContexts { first, second in
      let ship = Ship(callSign: "A", name: "Alpha")
      let doomed = Ship(callSign: "D", name: "Doomed")
      first.insert(ship)
      first.insert(doomed)
      let saving = Task { try await first.save() }
      await Task.yield()
      ship.name = "Beta"
      first.insert(Ship(callSign: "B", name: "Late"))
      first.delete(doomed)
      try await saving.value
      #expect(first.hasChanges)
      try await first.save()
      let names = try await second.fetch(
        FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.callSign)])
      ).map(\.name)
      #expect(names == ["Beta", "Late"])
      #expect(!first.hasChanges)
    }
  }

  @Test func importsASequenceOfInstances() async throws {
    try await withContexts { first, second in
      let ships = AsyncStream<Int> { continuation in
        for number in 0..<3_000 { continuation.yield(number) }
        continuation.finish()
      }.map { number in
        Ship(
          callSign: "S\(number % 2_500)", name: "Ship \(number)", tons: Double(number),
          home: Harbor(code: "H\(number % 7)", name: "not imported"))
      }
      let progress = try await first.import(ships)
      #expect(progress.accepted == 3_000 && progress.rejected == 0)
      #expect(try await second.fetchCount(FetchDescriptor<Ship>()) == 2_500)
      #expect(try await second.fetchCount(FetchDescriptor<Harbor>()) == 7)
      let found = try await second.fetch(
        FetchDescriptor<Ship>(predicate: #Predicate { $0.callSign == "S100" }))
      #expect(found.map(\.name) == ["Ship 2600"])
      #expect(found[0].home?.code == "H\(2_600 % 7)")
      #expect(!first.hasChanges)
    }
  }

  @Test func unsupportedPredicatesAreNamedNotTrapped() async throws {
    try await withContexts { first, _ in
      let descriptor = FetchDescriptor<Ship>(
        predicate: #Predicate { $0.flags.contains("de") })
      await #expect(throws: (any Error).self) { _ = try await first.fetch(descriptor) }
    }
  }

  @Test func aSchemaThatIsMissingIsNamedInCheck() async throws {
    try await Served.run { served in
      let client = try await RoostClient.connect(served.url)
      defer { client.close() }
      let error = await #expect(throws: ClientError.self) {
        _ = try await RemoteContext(client, for: Ship.self, mode: .check)
      }
      #expect(error?.detail == .schemaChanged)
      #expect(error?.message.contains("Ship") == true)
    }
  }
}

/// Rows whose to-ones weigh far more than they do.
@Suite @MainActor struct LargeRelatedTests {
  @Test func relatedRowsTravelInAsManyMessagesAsTheyNeed() async throws {
    try await Served.run { served in
      try await withRoostClient(served.url) { client in
        let writer = try await RemoteContext(client, for: Ship.self)
        let name = String(repeating: "long ", count: 4_000)
        for number in 0..<300 {
          let harbor = Harbor(code: "\(number)", name: name)
          writer.insert(Ship(callSign: "S\(number)", name: "s", home: harbor))
          if number % 50 == 49 { try await writer.save() }
        }
        let reader = try await RemoteContext(client, for: Ship.self, mode: .check)
        let ships = try await reader.fetch(FetchDescriptor<Ship>())
        #expect(ships.count == 300)
        #expect(ships.allSatisfy { $0.home?.name == name })
      }
    }
  }
}

/// A context of its own in an actor, off the main one.
private actor Shipyard {
  private let context: RemoteContext

  init(_ client: RoostClient) async throws {
    context = try await RemoteContext(client, for: Ship.self)
  }

  func build(_ count: Int, prefix: String) async throws {
    for number in 0..<count {
      context.insert(Ship(callSign: "\(prefix)\(number)", name: "Ship \(number)"))
      if number % 10 == 9 { try await context.save() }
    }
    try await context.save()
  }
}

@Suite @MainActor struct RemoteActorTests {
  @Test func actorsSaveBesideTheMainActorsContext() async throws {
    try await Served.run { served in
      try await withRoostClient(served.url) { client in
        let context = try await RemoteContext(client, for: Ship.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for prefix in ["A", "B", "C", "D"] {
            group.addTask { try await Shipyard(client).build(100, prefix: prefix) }
          }
          try await group.waitForAll()
        }
        let ships = try await context.fetch(FetchDescriptor<Ship>())
        #expect(Set(ships.map(\.callSign)).count == 400)
      }
    }
  }
}
