import RoostModel

/// Fields of a JSON record and what becomes of them.
package struct BoundFields: Sendable {
  package var fields: [FieldPath]
  package var columns: [BoundColumn]
  /// Only columns that a record names are written; else what is absent is nil.
  package var leavesAbsent: Bool
  /// Other keys of the record reject it.
  package var rejectsOthers: Bool

  package init(
    fields: [FieldPath], columns: [BoundColumn], leavesAbsent: Bool = false,
    rejectsOthers: Bool = false
  ) {
    self.fields = fields
    self.columns = columns
    self.leavesAbsent = leavesAbsent
    self.rejectsOthers = rejectsOthers
  }
}

/// Records of a JSON document or of NDJSON lines.
package final class JSONRowStream: RecordStream {
  private let reader: JSONRecordReader
  private let target: ImportTarget
  private let encoder: RowEncoder
  private let bound: BoundFields
  private var builder: BatchBuilder
  /// Columns of the chunk under construction.
  private var indices: [Int]
  private var namedNow: [Int] = []

  package private(set) var isEnded = false
  package private(set) var remarks: [String] = []

  package init(_ target: ImportTarget, layout: JSONRecordReader.Layout, bound: BoundFields) {
    self.target = target
    self.bound = bound
    encoder = RowEncoder(bound.columns)
    indices = Array(bound.columns.indices)
    reader = JSONRecordReader(layout, fields: bound.fields, listsKeys: bound.rejectsOthers)
    builder = BatchBuilder(
      entity: target.entity.id, schemaVersion: target.schema.version,
      columns: bound.columns.map(\.property))
  }

  package func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into sink: inout some RowSink
  ) throws {
    guard !isEnded else { return }
    var fault: InputFault?
    do throws(InputFault) { try reader.append(bytes) } catch { fault = error }
    if isLast { reader.finish() }
    while fault == nil || fault?.isFatal == false {
      fault = nil
      do throws(InputFault) {
        guard try reader.next() else { break }
        try checkOthers()
      } catch {
        fault = error
      }
      if fault == nil { fault = try readRow(into: &sink) }
      if let fault { try sink.reject(fault) }
    }
    if let fault, fault.isFatal { isEnded = true }
    guard isLast || isEnded else { return }
    if !isEnded { noteMissing() }
    isEnded = true
    if let batch = builder.take() { try sink.take(batch) }
  }

  private func checkOthers() throws(InputFault) {
    guard bound.rejectsOthers, let other = reader.others.first else { return }
    throw InputFault(
      line: reader.line, attribute: other.key,
      reason: "\(target.entity.name) has no such attribute"
        + NearestName.hint(other.key, among: target.columnNames)
        + " (--ignore-unknown passes over it, a plan maps it)")
  }

  private func readRow(into sink: inout some RowSink) throws -> InputFault? {
    if bound.leavesAbsent {
      let source = JSONFields(reader)
      namedNow.removeAll(keepingCapacity: true)
      for index in bound.columns.indices where bound.columns[index].isNamed(by: source) {
        namedNow.append(index)
      }
      // A chunk has one set of columns; another set closes it, since rows keep their order.
      if namedNow != indices {
        indices = namedNow
        let columns = indices.map { bound.columns[$0].property }
        if let batch = builder.take(continuingWith: columns) { try sink.take(batch) }
      }
    }
    do throws(InputFault) {
      try checkNamedKey()
      let (encoder, indices, source) = (encoder, indices, JSONFields(reader))
      try builder.append(line: reader.line) { (writer) throws(CellFault) in
        try encoder.write(source, indices: indices, into: &writer)
      }
    } catch {
      return error
    }
    if builder.isFull, let batch = builder.take() { try sink.take(batch) }
    return nil
  }

  /// A record that leaves out a part of the key has no row to go to.
  private func checkNamedKey() throws(InputFault) {
    guard bound.leavesAbsent else { return }
    if indices.isEmpty {
      throw InputFault(line: reader.line, reason: "the record names no attribute")
    }
    for name in target.key where !indices.contains(where: { bound.columns[$0].name == name }) {
      throw InputFault(
        line: reader.line, attribute: name, reason: "it has no value and is part of the key")
    }
  }

  /// A document may lack some of the paths; it is worth a word if it lacks them all, or if one
  /// looks like a typing error.
  private func noteMissing() {
    let (missing, found, isEmpty) = reader.missingRecords
    let names = missing.map(\.description)
    let suspicious = isEmpty ? names : names.filter { NearestName.of($0, among: found) != nil }
    guard !suspicious.isEmpty else { return }
    let paths = suspicious.map { "\"\($0)\"" }.joined(separator: ", ")
    let others = found.isEmpty ? "" : "; it has: \(found.joined(separator: ", "))"
    remarks.append("no records at \(paths)\(others)")
  }
}
