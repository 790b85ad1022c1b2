import Foundation
import RoostClient
import RoostModel
import RoostServer
import RoostTestSupport
import Testing

/// `Protocol/stats.tsv` names every figure a server tells, and no other.
@Suite @MainActor struct StatsTableTests {
  private static let table: [String: String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Protocol/stats.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    var rows: [String: String] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t")
      if fields.count == 3 { rows[String(fields[0])] = String(fields[1]) }
    }
    return rows
  }()

  /// Figures whose parts are named by what is there.
  private static let open = ["changes", "rows", "server.methods", "server.statuses"]

  private static func names(_ entries: [MapEntry], _ prefix: String = "") -> Set<String> {
    var names: Set<String> = []
    for entry in entries {
      let parent = String(prefix.dropLast())
      let isOpen = open.contains(parent) || parent == "server.window.methods"
      let name = prefix + (isOpen ? "*" : entry.key)
      switch entry.value {
      case .map(let inner): names.formUnion(Self.names(inner, name + "."))
      case .list(let items) where !items.isEmpty && items.allSatisfy(\.isMap):
        for case .map(let inner) in items { names.formUnion(Self.names(inner, name + "[].")) }
      default: names.insert(name)
      }
    }
    return names
  }

  /// Everything happens that leaves a figure: reads, writes, a failure, an import, a query at work.
  private func busyFigures(_ served: Served) async throws -> [MapEntry] {
    try await withRoostClient(served.url) { client in
      let schema = try await client.register(RemoteClientTests.schema).schema
      let insert = WriteOperation.insert(
        1, row: nil, [Assignment(1, .text("a")), Assignment(2, .int(1))])
      let batch = WriteBatch(operations: [insert], schemaVersion: schema.version)
      _ = try await client.write(batch)
      _ = try? await client.write(batch)
      _ = try await client.get(1, ids: [1])
      _ = try await client.count(Query(entity: 1))
      let descriptor = ImportDescriptor(
        id: UUID(), entity: 1, conflict: .update, constraint: nil, onRowError: .skip)
      let writer = client.openImport(descriptor, onReport: nil)
      defer { writer.abort() }
      while true {
        let figures = try await client.statistics(sections: StatisticsSection.allCases)
        // A query is counted when its reader is free again; the import goes on and on.
        let waiting = figures.filter { $0.value == .list([]) }
        if waiting.isEmpty { return figures }
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func everyFigureIsInTheTableAndNoOther() async throws {
    #expect(Self.table.count > 150)
    #expect(Set(Self.table.values) == ["counter", "gauge", "text"])
    try await withTemporaryDirectory { folder in
      try await Served.run(.file(folder.appending(path: "store").path)) { served in
        let told = Self.names(try await busyFigures(served))
        let table = Set(Self.table.keys)
        #expect(told.subtracting(table).sorted() == [])
        #expect(table.subtracting(told).sorted() == [])
      }
    }
  }
}

extension Value {
  fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}
