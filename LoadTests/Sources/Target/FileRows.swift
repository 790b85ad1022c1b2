import FoundationEssentials
import RoostClient
import RoostImport
import RoostModel

/// Puts the rows of a file into an entity before a run; rows that are there already stay.
struct FileRows {
  let client: RoostClient
  let schema: StoreSchema
  let entity: EntitySchema
  let file: String

  /// - Throws: ``LoadError`` that names the file, and the line of what cannot go in.
  func load() async throws(LoadError) {
    let batches = try read()
    let parts = (entity.uniqueConstraints.first ?? []).compactMap { entity.property(named: $0)?.id }
    let writer = client.openImport(
      ImportDescriptor(
        id: UUID(), entity: entity.id, conflict: .ignore,
        constraint: parts.isEmpty ? nil : parts, onRowError: .skip))
    do throws(ClientError) {
      for batch in batches { try await writer.send(batch) }
      let progress = try await writer.finish()
      guard progress.rejected > 0 else { return }
      throw ClientError(
        .invalidArgument, .local, "the server refused \(progress.rejected) rows of \(file)")
    } catch {
      writer.abort()
      throw LoadError(error)
    }
  }

  private func read() throws(LoadError) -> [RowBatch] {
    guard let format = FileFormat.of(file) else {
      throw wrong("its name must end in .csv, .tsv, .ndjson, .jsonl or .json")
    }
    var sink = Sink()
    do {
      let bytes = try ReportFile.read(file)
      let target = try ImportTarget(schema: schema, entity: entity.name, key: [], conflict: .ignore)
      let stream = try stream(target, format)
      try bytes.withUnsafeBytes { try stream.read($0, isLast: true, into: &sink) }
      return sink.batches
    } catch let error as RecordError {
      throw LoadError(error.description, .wrongCall)
    } catch let error as InputFault {
      throw wrong(error.description)
    } catch let error as BindingFault {
      throw wrong(error.description)
    } catch {
      throw wrong("\(error)")
    }
  }

  private func stream(
    _ target: ImportTarget, _ format: FileFormat
  ) throws(BindingFault) -> any RecordStream {
    let binding = DirectBinding(target, ignoresUnknown: true)
    guard format == .csv else {
      return JSONRowStream(
        target, layout: format == .ndjson ? .lines : .document(records: []),
        bound: try binding.fields())
    }
    let isTabbed = file.lowercased().hasSuffix(".tsv")
    return CSVRowStream(
      target, format: CSVFormat(delimiter: UInt8(ascii: isTabbed ? "\t" : ","))
    ) { (header) throws(BindingFault) in try binding.header(header) }
  }

  private func wrong(_ reason: String) -> LoadError {
    LoadError("\(file): \(reason)", .wrongCall)
  }

  /// Keeps chunks; the first row that cannot go in ends the reading.
  private struct Sink: RowSink {
    var batches: [RowBatch] = []

    mutating func take(_ batch: ImportBatch) { batches.append(batch.rows) }
    mutating func reject(_ fault: InputFault) throws { throw fault }
  }
}
