package import RoostModel

/// The request of Stats: empty for the counters alone, or a map of `limit` and `sections`.
package struct StatisticsRequest: Hashable, Sendable {
  /// Each once, in the order of their names.
  package var sections: [StatisticsSection]
  /// Entries of each section at most; 1 to ``WireLimits/statisticsEntriesMax``.
  package var limit: Int

  package init(
    sections: [StatisticsSection] = [], limit: Int = WireLimits.statisticsEntries
  ) {
    self.sections = StatisticsSection.allCases.filter(sections.contains)
    self.limit = limit
  }

  /// Nothing for the counters alone, so that it is also the request of older clients.
  package func encode(into writer: inout PackedWriter) {
    guard !sections.isEmpty else { return }
    writer.value(
      MapFields.map([
        ("limit", .int(Int64(limit))),
        ("sections", .list(sections.map { .text($0.rawValue) })),
      ]))
  }

  /// Unknown keys are ignored; an unknown section is not.
  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    guard !body.isEmpty else {
      self.init()
      return
    }
    var reader = PackedReader(body)
    let fields = MapFields(try reader.onlyMap())
    var sections: [StatisticsSection] = []
    switch fields["sections"] {
    case nil: break
    case .list(let names):
      for name in names { sections.append(try StatisticsRequest.section(name)) }
    default: throw MessageError(.badValue, "sections is no list")
    }
    let limit = try fields.int("limit") ?? Int64(WireLimits.statisticsEntries)
    guard limit >= 1, limit <= WireLimits.statisticsEntriesMax else {
      throw MessageError(
        .badValue, "limit is \(limit), not 1 to \(WireLimits.statisticsEntriesMax)")
    }
    self.init(sections: sections, limit: Int(limit))
  }

  private static func section(_ value: Value) throws(MessageError) -> StatisticsSection {
    if case .text(let name) = value, let section = StatisticsSection(rawValue: name) {
      return section
    }
    let names = StatisticsSection.allCases.map(\.rawValue).joined(separator: ", ")
    throw MessageError(.badValue, "a section is one of \(names)")
  }
}

/// The answer of Stats: one map, keys ascending.
package enum Statistics {
  /// Sorts the entries; of equal keys the later wins.
  package static func encode(_ entries: [MapEntry], into writer: inout PackedWriter) {
    writer.value(MapFields.map(entries.map { ($0.key, $0.value) }))
  }

  package static func decode(
    _ body: UnsafeRawBufferPointer
  ) throws(MessageError) -> [MapEntry] {
    var reader = PackedReader(body)
    return try reader.onlyMap()
  }
}

/// The request of CancelOperation, `[client, stream]`, and its reply, `[found]`.
package struct CancelOperation: Hashable, Sendable {
  /// The number of the connection, as Stats tells it.
  package var client: UInt64
  package var stream: UInt32

  package init(client: UInt64, stream: UInt32) {
    self.client = client
    self.stream = stream
  }

  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 2)
    writer.bits(client)
    writer.int(Int64(stream))
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a cancellation", min: 2, max: 2)
    client = try list.next("client") { r throws(PackedError) in try r.bits() }
    stream = try list.next("stream") { r throws(PackedError) in try r.number(UInt32.self) }
    try list.end().messageEnd()
  }

  package static func encodeReply(found: Bool, into writer: inout PackedWriter) {
    writer.list(count: 1)
    writer.bool(found)
  }

  package static func decodeReply(_ body: UnsafeRawBufferPointer) throws(MessageError) -> Bool {
    var list = try ListReader(PackedReader(body), "a cancellation's answer", min: 1, max: 1)
    let found = try list.next("found") { r throws(PackedError) in try r.boolValue() }
    try list.end().messageEnd()
    return found
  }
}
