import Glibc
import RoostModel
import RoostWire

/// What the server counts; it belongs to the loop.
struct ServerStats {
  private var methods = [MethodStats](repeating: MethodStats(), count: ServerStats.methodCount)
  var connectionsAccepted: UInt64 = 0
  var connectionsRefused: UInt64 = 0
  var connectionsFailed: UInt64 = 0
  var bytesIn: UInt64 = 0
  var bytesOut: UInt64 = 0
  var rowsImported: UInt64 = 0
  var rowsRejected: UInt64 = 0

  private static let methodCount = 32

  subscript(method: WireMethod) -> MethodStats {
    get { methods[Int(method.rawValue)] }
    set { methods[Int(method.rawValue)] = newValue }
    _modify { yield &methods[Int(method.rawValue)] }
  }

  /// The rows of a chunk; those of a duplicate were counted when it was taken.
  mutating func count(_ acknowledgement: ImportAcknowledgement) {
    guard !acknowledgement.isDuplicate else { return }
    rowsImported &+= UInt64(acknowledgement.accepted)
    rowsRejected &+= UInt64(acknowledgement.rejected)
  }

  /// Calls of every method by name, those never called left out.
  var methodEntries: [MapEntry] {
    WireMethod.allCases.filter { self[$0].started > 0 }
      .map { MapEntry($0.name, .map(self[$0].entries)) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  var requestsStarted: UInt64 { WireMethod.allCases.reduce(0) { $0 + self[$1].started } }

  /// Bytes of memory the process holds; nil where the kernel does not say.
  static func residentBytes() -> Int64? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let fields = text.split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int64(String(decoding: fields[1], as: UTF8.self)) else {
      return nil
    }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
