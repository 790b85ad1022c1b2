package import RoostModel

/// A new entity's attributes, found by a first pass over its files.
package struct SchemaGuess: Sendable {
  package private(set) var names: [String] = []
  private var guesses: [TypeGuess] = []
  private var places: [String: Int] = [:]
  package private(set) var rowCount = 0

  package init() {}

  /// The column called `name`, added if it is new.
  mutating func place(of name: String) -> Int {
    if let place = places[name] { return place }
    places[name] = names.count
    names.append(name)
    guesses.append(TypeGuess())
    return names.count - 1
  }

  mutating func observe(
    _ place: Int, _ guess: (inout TypeGuess) -> Void
  ) { guess(&guesses[place]) }

  mutating func countRow() {
    rowCount += 1
    ProcessorTurn.didRead(rowCount)
  }

  package func type(of name: String) -> AttributeType? { places[name].map { guesses[$0].type } }

  /// The entity: everything optional but the key, which is its unique constraint.
  ///
  /// `types` is what the caller knows better, by attribute.
  package func entity(
    named name: String, key: [String], types: [String: AttributeType]
  ) throws(BindingFault) -> EntitySchema {
    for asked in types.keys.sorted() + key where places[asked] == nil {
      throw BindingFault(
        "the files have no column \"\(asked)\"\(NearestName.hint(asked, among: names))")
    }
    guard !names.isEmpty else { throw BindingFault("the files have no columns") }
    let properties = zip(names, guesses).map { column, guess in
      PropertySchema(
        name: column, kind: .attribute(types[column] ?? guess.type),
        isOptional: !key.contains(column))
    }
    return EntitySchema(
      name: name, properties: properties, uniqueConstraints: key.isEmpty ? [] : [key])
  }
}

/// The first pass over one file.
package protocol TypeScan: AnyObject {
  /// Reads on until the bytes end or the guess has `rowsMax` rows; a bad row is passed over.
  func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, rowsMax: Int, into guess: inout SchemaGuess
  ) throws(BindingFault)
}

package final class CSVTypeScan: TypeScan {
  private let reader: CSVReader
  private let nullWords: [String]
  private var fields: CSVFields?
  private var places: [Int] = []

  package init(_ format: CSVFormat) {
    reader = CSVReader(delimiter: format.delimiter)
    nullWords = format.nullWords
  }

  package func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, rowsMax: Int, into guess: inout SchemaGuess
  ) throws(BindingFault) {
    do throws(InputFault) {
      try reader.append(bytes)
      if isLast { reader.finish() }
    } catch {
      throw BindingFault("\(error)")
    }
    while guess.rowCount < rowsMax {
      do throws(InputFault) {
        guard try reader.next() else { return }
        if let fields { observe(fields, &guess) } else { try readHeader(&guess) }
      } catch {
        // The import itself reports bad rows; what cannot be read on ends the pass.
        if error.isFatal || fields == nil { throw BindingFault("\(error)") }
      }
    }
  }

  private func readHeader(_ guess: inout SchemaGuess) throws(InputFault) {
    let names = CSVHeader.propertyNames(try CSVHeader.names(of: reader))
    places = names.map { guess.place(of: $0) }
    fields = CSVFields(reader, cells: Array(names.indices), nullWords: nullWords)
  }

  private func observe(_ fields: CSVFields, _ guess: inout SchemaGuess) {
    guess.countRow()
    for index in 0..<min(places.count, reader.cellCount) where !fields.isNull(index) {
      let cell = reader.cell(index)
      guess.observe(places[index]) { $0.observe(cell) }
    }
  }
}

package final class JSONTypeScan: TypeScan {
  private let reader: JSONRecordReader

  package init(_ layout: JSONRecordReader.Layout) {
    reader = JSONRecordReader(layout, fields: [], listsKeys: true)
  }

  package func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, rowsMax: Int, into guess: inout SchemaGuess
  ) throws(BindingFault) {
    do throws(InputFault) {
      try reader.append(bytes)
      if isLast { reader.finish() }
    } catch {
      throw BindingFault("\(error)")
    }
    while guess.rowCount < rowsMax {
      do throws(InputFault) {
        guard try reader.next() else { return }
        guess.countRow()
        for other in reader.others {
          let bytes = reader.bytes(of: other.value)
          guess.observe(guess.place(of: other.key)) { $0.observe(other.value, bytes) }
        }
      } catch {
        if error.isFatal { throw BindingFault("\(error)") }
      }
    }
  }
}
