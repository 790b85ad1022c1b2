/// What a store needs of its disk beside what it holds.
enum DiskRoom {
  /// Bytes that should be free; nil where the server does not tell the log's limit.
  static func needed(_ figures: Figures) -> Double? {
    guard let wal = figures.number("walBytesLimit") else { return nil }
    let disk = figures.number("diskBytes") ?? 0
    return wal * MonitorLimits.diskFreeWALs + disk * MonitorLimits.diskFreeShare
  }
}
