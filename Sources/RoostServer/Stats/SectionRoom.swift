import RoostModel

/// Shares out what a message holds beside the figures among the sections of a reply.
///
/// A thousand shapes of long queries are more than a client takes in one message; told without the
/// least of them is better than not told.
struct SectionRoom {
  /// For the sections' names and counts, and the map's own.
  private static let frameBytes = 256

  private var left: Int
  private var sectionsLeft: Int

  /// Room for so many sections beside figures within `bytesMax`.
  init(_ bytesMax: Int, beside figures: [MapEntry], sections: Int) {
    var writer = PackedWriter()
    for entry in figures {
      writer.value(.text(entry.key))
      writer.value(entry.value)
    }
    left = max(0, bytesMax - writer.byteCount - SectionRoom.frameBytes)
    sectionsLeft = sections
  }

  /// The first of a section's entries, as many as its share holds; what it does not take is for the
  /// sections that follow.
  ///
  /// - Complexity: Each entry is packed once more.
  mutating func fitted(_ entries: [Value]) -> [Value] {
    let share = left / max(1, sectionsLeft)
    sectionsLeft -= 1
    var writer = PackedWriter()
    var taken = 0
    for (count, entry) in entries.enumerated() {
      writer.value(entry)
      guard writer.byteCount <= share else {
        left -= taken
        return Array(entries.prefix(count))
      }
      taken = writer.byteCount
    }
    left -= taken
    return entries
  }
}
