import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

@MainActor @Suite struct DrainTests {
  /// Starts to stop; the flag tells when it is done.
  private func stop(_ harness: Harness) -> Done {
    let done = Done()
    let server = harness.server
    Task { @MainActor in
      await server.stop()
      done.isDone = true
    }
    return done
  }

  @Test func whatRunsFinishesAndIdleConnectionsAreToldFirst() async throws {
    let harness = try Harness()
    let idle = harness.connect()
    let busy = harness.connect()
    _ = try idle.call(.echo) { $0.null() }
    _ = try busy.call(.echo) { $0.null() }
    harness.engine.writeGate.close()
    let stream = try busy.start(.write) {
      WriteBatch(operations: [Sample.insert("A", miles: 1)], schemaVersion: 3).encode(into: &$0)
    }
    busy.flush()
    #expect(harness.drive { harness.engine.writeGate.waitingCount == 1 })
    let done = stop(harness)
    await Task.yield()
    harness.turns()
    idle.pump()
    #expect(idle.goAways.map(\.phase) == [.soft])
    #expect((idle.goAways.first?.retryAfterMilliseconds ?? 0) >= 500)
    // Between the two words a call is still served.
    harness.advance(by: .milliseconds(200), steps: 20)
    idle.pump()
    #expect(idle.goAways.map(\.phase) == [.soft, .final])
    #expect(idle.peer.isClosedThere)
    #expect(!busy.peer.isClosedThere)
    #expect(!done.isDone)
    harness.engine.writeGate.open()
    #expect(busy.wait(for: stream)?.isOK == true)
    #expect(
      harness.drive {
        harness.clock.advance(by: .milliseconds(20))
        busy.pump()
        return busy.peer.isClosedThere
      })
    #expect(busy.goAways.map(\.phase) == [.soft, .final])
  }

  @Test func theGraceEndsWhatDoesNotFinish() async throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let stream = try client.start(.get) {
      GetRequest.encode(entity: Sample.flight, row: 1, into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    _ = stop(harness)
    await Task.yield()
    harness.turns()
    harness.advance(by: .milliseconds(9_900), steps: 99)
    #expect(!client.peer.isClosedThere)
    harness.advance(by: .milliseconds(1_200), steps: 12)
    client.pump()
    #expect(client.peer.isClosedThere)
    #expect(client.ends[stream]?.isOK != true)
    harness.engine.readGate.open()
  }

  @Test func aNewConnectionIsRefusedWhileDraining() async throws {
    let harness = try Harness()
    let busy = harness.connect()
    _ = try busy.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    _ = try busy.start(.get) { GetRequest.encode(entity: Sample.flight, row: 1, into: &$0) }
    busy.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    _ = stop(harness)
    await Task.yield()
    harness.turns()
    let late = harness.connect()
    late.flush()
    harness.turns()
    late.pump()
    #expect(late.goAways.last?.status == .unavailable)
    harness.engine.readGate.open()
  }
}

@MainActor
final class Done {
  var isDone = false
}
