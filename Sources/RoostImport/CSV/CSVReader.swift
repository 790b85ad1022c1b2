/// Reads CSV by RFC 4180 from bytes that come in any portions.
///
/// Records end in LF or CRLF, quoted cells may hold delimiters, quotes (doubled) and newlines, a
/// byte order mark is passed over. A lone CR is data. Cells are views into the reader's own
/// buffer: they hold until the next call of ``next()`` or ``append(_:)``. A record may be
/// ``ImportLimits/recordBytesMax`` long, which also bounds the buffer.
package final class CSVReader {
  /// Where a cell lies in the buffer; the quotes are not part of it.
  private struct Cell {
    var start: Int
    var count: Int
    var isQuoted: Bool
  }

  private enum Scan {
    case complete
    case incomplete
  }

  // Unchecked: the reader belongs to one task, and no method calls out while it changes a
  // property; the checks of a class's properties cost a fifth of reading a file.
  private let delimiter: UInt8
  @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
  /// First byte that no record has taken yet, and the end of what there is.
  @exclusivity(unchecked) private var start = 0
  @exclusivity(unchecked) private var end = 0
  @exclusivity(unchecked) private var isFinished = false
  private var isBeginning = true
  @exclusivity(unchecked) private var cells: [Cell] = []
  @exclusivity(unchecked) private var nextLine = 1

  /// Line of the current record's first byte, from 1.
  @exclusivity(unchecked) package private(set) var line = 1
  /// Bytes of complete records and of blank lines so far.
  @exclusivity(unchecked) package private(set) var byteCount = 0

  package init(delimiter: UInt8 = UInt8(ascii: ",")) {
    self.delimiter = delimiter
    buffer = .allocate(byteCount: 1 << 18, alignment: 16)
    cells.reserveCapacity(64)
  }

  deinit { buffer.deallocate() }

  /// Adds bytes behind those not yet read.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(InputFault) {
    guard end - start + bytes.count <= 2 * ImportLimits.recordBytesMax else {
      throw tooLong(line: nextLine)
    }
    makeRoom(bytes.count)
    if let source = bytes.baseAddress, let target = buffer.baseAddress {
      (target + end).copyMemory(from: source, byteCount: bytes.count)
    }
    end += bytes.count
  }

  /// Says that no bytes follow: the last record may lack its newline.
  package func finish() { isFinished = true }

  private func makeRoom(_ count: Int) {
    if end + count <= buffer.count { return }
    let kept = end - start
    var target = buffer
    if kept + count > buffer.count {
      target = .allocate(byteCount: max(buffer.count * 2, kept + count), alignment: 16)
    }
    if kept > 0, let from = buffer.baseAddress, let to = target.baseAddress {
      to.copyMemory(from: from + start, byteCount: kept)
    }
    if target.baseAddress != buffer.baseAddress {
      buffer.deallocate()
      buffer = target
    }
    start = 0
    end = kept
  }

  // MARK: Cells of the current record

  package var cellCount: Int { cells.count }

  /// The bytes of a cell, quotes resolved; `index` is below ``cellCount``.
  @inline(__always)
  package func cell(_ index: Int) -> UnsafeRawBufferPointer {
    let cell = cells[index]
    return UnsafeRawBufferPointer(rebasing: buffer[cell.start..<cell.start + cell.count])
  }

  @inline(__always)
  package func isQuoted(_ index: Int) -> Bool { cells[index].isQuoted }

  // MARK: Records

  /// Goes to the next record.
  ///
  /// - Returns: false if more bytes are needed, or at the end after ``finish()``.
  /// - Throws: ``InputFault`` for a record that is no CSV; unless it is fatal, the next call goes
  ///   on behind that record.
  package func next() throws(InputFault) -> Bool {
    if isBeginning {
      guard try skipByteOrderMark() else { return false }
    }
    while start < end {
      line = nextLine
      cells.removeAll(keepingCapacity: true)
      var position = start
      var newlines = 0
      if isBlankLine(&position) {
        take(to: position, lines: 1)
        continue
      }
      guard try scanRecord(&position, &newlines) == .complete else {
        if end - start > ImportLimits.recordBytesMax { throw tooLong(line: line) }
        return false
      }
      take(to: position, lines: newlines)
      return true
    }
    return false
  }

  private func take(to position: Int, lines: Int) {
    byteCount += position - start
    start = position
    nextLine += lines
  }

  private func skipByteOrderMark() throws(InputFault) -> Bool {
    if end - start < 3, !isFinished { return false }
    isBeginning = false
    guard end - start >= 2 else { return true }
    let first = buffer[start]
    let second = buffer[start + 1]
    if (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF) {
      throw InputFault(
        line: 1, reason: "the file is UTF-16; convert it to UTF-8 first", isFatal: true)
    }
    if end - start >= 3, first == 0xEF, second == 0xBB, buffer[start + 2] == 0xBF {
      take(to: start + 3, lines: 0)
    }
    return true
  }

  private func isBlankLine(_ position: inout Int) -> Bool {
    if buffer[position] == Byte.lineFeed {
      position += 1
      return true
    }
    if buffer[position] == Byte.carriageReturn, position + 1 < end,
      buffer[position + 1] == Byte.lineFeed
    {
      position += 2
      return true
    }
    return false
  }

  private func scanRecord(_ position: inout Int, _ newlines: inout Int) throws(InputFault) -> Scan {
    var hasEscapes = false
    while true {
      if position < end, buffer[position] == Byte.quote {
        guard try scanQuoted(&position, &newlines, &hasEscapes) == .complete else {
          return .incomplete
        }
      } else {
        guard scanPlain(&position) == .complete else { return .incomplete }
      }
      if cells.count > ImportLimits.cellsMax { throw try tooManyCells(&position, &newlines) }
      if position < end, buffer[position] == delimiter {
        position += 1
        continue
      }
      passNewline(&position, &newlines)
      if hasEscapes { resolveQuotes() }
      return .complete
    }
  }

  /// Over `\n`, `\r\n` or the end of the input, whichever stands here.
  private func passNewline(_ position: inout Int, _ newlines: inout Int) {
    if position < end, buffer[position] == Byte.carriageReturn { position += 1 }
    if position < end { position += 1 }
    newlines += 1
  }

  /// Over a cell without quotes, to the delimiter or newline behind it.
  @inline(__always)
  private func scanPlain(_ position: inout Int) -> Scan {
    let first = position
    // Locals: a class's stored properties are checked for exclusive access on every use.
    let bytes = UnsafeRawBufferPointer(buffer)
    let end = self.end
    let delimiter = self.delimiter
    var index = first
    while index < end {
      let byte = bytes[index]
      if byte == delimiter { break }
      if byte == Byte.lineFeed {
        if index > first, bytes[index - 1] == Byte.carriageReturn { index -= 1 }
        break
      }
      index += 1
    }
    position = index
    if index == end, !isFinished { return .incomplete }
    cells.append(Cell(start: first, count: index - first, isQuoted: false))
    return .complete
  }

  private func scanQuoted(
    _ position: inout Int, _ newlines: inout Int, _ hasEscapes: inout Bool
  ) throws(InputFault) -> Scan {
    let first = position + 1
    position = first
    while true {
      while position < end, buffer[position] != Byte.quote {
        if buffer[position] == Byte.lineFeed { newlines += 1 }
        position += 1
      }
      if position == end {
        guard isFinished else { return .incomplete }
        throw unterminated(&newlines)
      }
      if position + 1 == end, !isFinished { return .incomplete }
      guard position + 1 < end, buffer[position + 1] == Byte.quote else { break }
      hasEscapes = true
      position += 2
    }
    cells.append(Cell(start: first, count: position - first, isQuoted: true))
    position += 1
    return try endOfQuoted(&position, newlines)
  }

  /// What follows a closing quote must be a delimiter or a newline.
  private func endOfQuoted(_ position: inout Int, _ newlines: Int) throws(InputFault) -> Scan {
    if position == end { return isFinished ? .complete : .incomplete }
    let byte = buffer[position]
    if byte == delimiter || byte == Byte.lineFeed { return .complete }
    if byte == Byte.carriageReturn {
      if position + 1 == end { return isFinished ? .complete : .incomplete }
      if buffer[position + 1] == Byte.lineFeed { return .complete }
    }
    var lines = newlines
    guard skipLine(&position, &lines) else { return .incomplete }
    take(to: position, lines: lines)
    throw InputFault(
      line: line,
      reason: "cell \(cells.count) goes on after its closing quote; "
        + "a quote within quotes is written twice")
  }

  /// To the next line, wherever quotes stand; false if it has not come yet.
  private func skipLine(_ position: inout Int, _ newlines: inout Int) -> Bool {
    while position < end, buffer[position] != Byte.lineFeed { position += 1 }
    if position == end, !isFinished { return false }
    if position < end { position += 1 }
    newlines += 1
    return true
  }

  /// Writes `"` for `""`; only now, since an incomplete record is scanned again.
  private func resolveQuotes() {
    for index in cells.indices where cells[index].isQuoted {
      let cell = cells[index]
      var target = cell.start
      var source = cell.start
      while source < cell.start + cell.count {
        buffer[target] = buffer[source]
        source += buffer[source] == Byte.quote ? 2 : 1
        target += 1
      }
      cells[index].count = target - cell.start
    }
  }

  // MARK: Faults

  private func unterminated(_ newlines: inout Int) -> InputFault {
    let lines = newlines
    take(to: end, lines: lines)
    return InputFault(
      line: line, reason: "a quoted cell that begins in this record is not closed", isFatal: true)
  }

  private func tooManyCells(
    _ position: inout Int, _ newlines: inout Int
  ) throws(InputFault) -> InputFault {
    guard skipLine(&position, &newlines) else { return tooLong(line: line) }
    take(to: position, lines: newlines)
    return InputFault(line: line, reason: "more than \(ImportLimits.cellsMax) cells")
  }

  private func tooLong(line: Int) -> InputFault {
    InputFault(
      line: line,
      reason: "the record is longer than \(ImportLimits.recordBytesMax >> 20) MiB; "
        + "is a quote left open?", isFatal: true)
  }
}

extension CSVReader {
  /// The cells of a single record.
  package static func cells(of text: String) throws(InputFault) -> [String] {
    let reader = CSVReader()
    var text = text
    var fault: InputFault?
    text.withUTF8 { bytes in
      do throws(InputFault) { try reader.append(UnsafeRawBufferPointer(bytes)) } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    reader.finish()
    guard try reader.next() else { return [] }
    return (0..<reader.cellCount).map { String(decoding: reader.cell($0), as: UTF8.self) }
  }
}
