import RoostClient
import RoostImport
import RoostModel

/// Files whose columns are called as an entity's attributes are.
struct DirectImport: Sendable {
  private let names: [String]
  private let entity: String
  private let creates: Bool
  private let key: [String]
  private let types: [String: AttributeType]
  private let conflict: ImportConflict
  private let format: FileFormat?
  private let nullWords: [String]
  private let delimiter: UInt8?
  private let records: [FieldPath]
  private let ignoresUnknown: Bool
  private let createsMissing: Bool
  private let jobs: Int

  init(_ arguments: ParsedArguments, files: [String]) throws(CommandFault) {
    names = files
    entity = arguments.value("entity") ?? ""
    creates = arguments.has("create")
    key = arguments.list("key")
    conflict = try arguments.choice("on-conflict", ImportConflict.allCases, \.word) ?? .update
    format = try arguments.choice("format", FileFormat.allCases, \.rawValue)
    nullWords = arguments.all("null")
    records = arguments.list("records").map { FieldPath($0) }
    ignoresUnknown = arguments.has("ignore-unknown")
    createsMissing = arguments.has("create-missing")
    jobs = try arguments.number("jobs", least: 1) ?? CommandLimits.jobsDefault
    do throws(BindingFault) {
      types = try TypeName.list(arguments.list("types").joined(separator: ","))
    } catch {
      throw CommandFault("--types: \(error)")
    }
    delimiter = try arguments.value("delimiter").map { (text) throws(CommandFault) in
      try DirectImport.delimiter(text)
    }
    guard types.isEmpty || creates else {
      throw CommandFault("--types goes with --create; an entity that is there has its types")
    }
    guard jobs <= CommandLimits.jobsMax else {
      throw CommandFault("--jobs \(jobs): at most \(CommandLimits.jobsMax)")
    }
    for name in files { _ = try fileFormat(name) }
  }

  private static func delimiter(_ text: String) throws(CommandFault) -> UInt8 {
    if text == "\\t" || text.lowercased() == "tab" { return UInt8(ascii: "\t") }
    let bytes = Array(text.utf8)
    guard bytes.count == 1, bytes[0] < 0x80, bytes[0] != UInt8(ascii: "\"") else {
      throw CommandFault("--delimiter \(text): should be one ASCII character, or tab")
    }
    return bytes[0]
  }

  private func fileFormat(_ name: String) throws(CommandFault) -> FileFormat {
    guard let format = format ?? FileFormat.of(name) else {
      throw CommandFault("\(name): its name does not tell the format; say --format csv|json|ndjson")
    }
    return format
  }

  private func csvFormat(_ name: String) -> CSVFormat {
    let isTabbed = name.lowercased().hasSuffix(".tsv")
    return CSVFormat(
      delimiter: delimiter ?? (isTabbed ? UInt8(ascii: "\t") : UInt8(ascii: ",")),
      nullWords: nullWords)
  }

  private func layout(_ name: String) throws(CommandFault) -> JSONRecordReader.Layout {
    try fileFormat(name) == .ndjson ? .lines : .document(records: records)
  }

  /// Opens the files, makes the entity if asked to, and gives the streams.
  func prepare(
    _ client: RoostClient, _ console: Console
  ) async throws -> ImportSource.Prepared {
    let files = try names.map { try InputFile($0) }
    var schema = try await client.schema()
    if schema.entity(named: entity) == nil, creates {
      schema = try await makeEntity(files, client, console)
    } else if schema.entity(named: entity) == nil {
      let hint = NearestName.hint(entity, among: schema.entities.map(\.name))
      throw CommandFault("there is no entity \"\(entity)\"\(hint) (--create makes it)")
    }
    let target = try ImportTarget(
      schema: schema, entity: entity, key: attributeNames(key, schema), conflict: conflict)
    let binding = DirectBinding(
      target, ignoresUnknown: ignoresUnknown, createsMissing: createsMissing)
    let queue = FileQueue(files)
    let job = ImportJob(target: target, files: queue) { (file) throws(BindingFault) in
      try stream(file.name, binding)
    }
    return ImportSource.Prepared(
      streams: Array(repeating: job, count: min(jobs, files.count)), files: files)
  }

  private func stream(
    _ name: String, _ binding: DirectBinding
  ) throws(BindingFault) -> any RecordStream {
    do throws(CommandFault) {
      guard try fileFormat(name) == .csv else {
        let layout = try layout(name)
        return JSONRowStream(binding.target, layout: layout, bound: try fields(binding))
      }
    } catch {
      throw BindingFault(error.description)
    }
    return CSVRowStream(binding.target, format: csvFormat(name)) {
      (header) throws(BindingFault) in try binding.header(header)
    }
  }

  private func fields(_ binding: DirectBinding) throws(CommandFault) -> BoundFields {
    do throws(BindingFault) {
      return try binding.fields()
    } catch {
      throw CommandFault(error.description)
    }
  }

  /// Names as the entity has them, where a file's header spells them otherwise.
  private func attributeNames(_ names: [String], _ schema: StoreSchema) -> [String] {
    let known = schema.entity(named: entity)
    return names.map { known?.property(named: $0) == nil ? CSVHeader.propertyName($0) : $0 }
  }

  // MARK: --create

  private func makeEntity(
    _ files: [InputFile], _ client: RoostClient, _ console: Console
  ) async throws -> StoreSchema {
    let guess = try await onOwnThread { try self.guess(files) }
    let known = Set(guess.names)
    let plainKey = key.map { known.contains($0) ? $0 : CSVHeader.propertyName($0) }
    let made = try guess.entity(named: entity, key: plainKey, types: types)
    let registration = try await client.register(StoreSchema(entities: [made]), mode: .apply)
    let style = Style(isColoured: console.errorWidth != nil)
    console.note("created " + SchemaText(style).text(made).trimmedNewline)
    return registration.schema
  }

  /// The first pass: whole files, the first rows of a pipe.
  private func guess(_ files: [InputFile]) throws -> SchemaGuess {
    var guess = SchemaGuess()
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: CommandLimits.readBytes, alignment: 4_096)
    defer { buffer.deallocate() }
    for file in files {
      do {
        try look(at: file, buffer, &guess)
      } catch let fault as BindingFault {
        throw CommandFault("\(file.name): \(fault)")
      }
    }
    return guess
  }

  private func look(
    at file: InputFile, _ buffer: UnsafeMutableRawBufferPointer, _ guess: inout SchemaGuess
  ) throws {
    let scan: any TypeScan =
      try fileFormat(file.name) == .csv
      ? CSVTypeScan(csvFormat(file.name)) : JSONTypeScan(try layout(file.name))
    let rowsMax = file.isPipe ? guess.rowCount + ImportLimits.inferenceRowsOfPipe : Int.max
    var seen: [UInt8] = []
    while guess.rowCount < rowsMax, seen.count < CommandLimits.pipeSampleBytes {
      let count = try file.read(into: buffer)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if file.isPipe { seen += bytes }
      try scan.read(bytes, isLast: count == 0, rowsMax: rowsMax, into: &guess)
      if count == 0 { break }
    }
    try file.rewind(giving: seen)
  }
}

extension String {
  /// Without newlines at the end.
  var trimmedNewline: String {
    var text = self[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}
