import Glibc
import RoostModel

/// Keeps written zeros ahead of the end of the write-ahead log, so that a commit changes bytes of
/// the file and not its length.
///
/// A sync of a file that has grown must also write what the file system knows of it: the sync of
/// one small commit took 250 µs so, and 140 µs within a file that was written before (ext4,
/// measured). SQLite starts the log anew after a checkpoint, so each stretch is paid for once.
/// Recovery reads frames up to the first whose salt and checksum do not fit; zeros never do.
///
/// Writer's thread only, between transactions: nobody else writes the log.
struct WALRunway {
  /// Zeros written at once.
  static let step = 512 << 10
  /// What must lie ahead.
  static let least = 64 << 10
  /// A transaction that wrote more pays for its own growth; zeros would only be written twice.
  static let transactionMax = 128 << 10

  private let path: String
  /// 0, or -1 with the reason in `errno`.
  private let sync: (Int32) -> Int32
  private var descriptor: Int32 = -1
  private var end = 0
  /// The file's length, at least.
  private var length = 0
  /// After a failure nothing is tried until the log starts anew.
  private var isGivenUp = false

  init(walPath: String, sync: @escaping (Int32) -> Int32 = { fdatasync($0) }) {
    path = walPath
    self.sync = sync
  }

  /// Sees to it that zeros lie ahead.
  ///
  /// - Parameter newEnd: Where the log ends after a transaction, in bytes.
  /// - Returns: Why a sync failed, if one did. The system tells each failure to those who have the
  ///   file open: whoever opens it afterwards for a sync of commits would hear of none.
  @discardableResult
  mutating func extend(pastEnd newEnd: Int) -> Int32? {
    let grown = newEnd - end
    end = newEnd
    if grown < 0 {
      // The log begins anew, and SQLite may have cut its file.
      length = 0
      isGivenUp = false
    }
    length = max(length, newEnd)
    guard grown <= WALRunway.transactionMax, length - newEnd < WALRunway.least, !isGivenUp else {
      return nil
    }
    isGivenUp = true
    return write()
  }

  private mutating func write() -> Int32? {
    if descriptor < 0 { descriptor = open(path, O_WRONLY | O_CLOEXEC) }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
    length = max(end, Int(status.st_size))
    if length - end >= WALRunway.least {
      isGivenUp = false
      return nil
    }
    let start = length
    let zeros = [UInt8](repeating: 0, count: WALRunway.step)
    let isWritten = zeros.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress, $0.count, off_t(start)) == $0.count
    }
    let failure = isWritten && sync(descriptor) != 0 ? errno : nil
    guard isWritten, failure == nil else {
      // On a full disk what little is left belongs to the commits.
      ftruncate(descriptor, off_t(start))
      return failure
    }
    length += WALRunway.step
    isGivenUp = false
    return nil
  }

  /// Before the log's file goes.
  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    length = 0
    end = 0
    isGivenUp = false
  }
}
