/// How a figure is to be taken.
enum FigureLevel: Int, Comparable, Sendable {
  case fine, warning, critical

  static func < (one: FigureLevel, other: FigureLevel) -> Bool { one.rawValue < other.rawValue }
}

/// One figure of a line with its name.
struct ScreenSegment: Hashable, Sendable {
  var text: String
  var level = FigureLevel.fine
  /// What goes first where a terminal is narrow: the highest. 0 stays; so does what is not fine.
  var rank = 0

  init(_ text: String, _ level: FigureLevel = .fine, rank: Int = 0) {
    self.text = text
    self.level = level
    self.rank = level == .fine ? rank : 0
  }
}

/// A topic and its figures on one line.
struct ScreenLine: Hashable, Sendable {
  /// Columns of the topic's name with the gap behind it.
  static let topicWidth = 10

  var topic: String
  var segments: [ScreenSegment]

  init(_ topic: String, _ segments: [ScreenSegment]) {
    self.topic = topic
    self.segments = segments
  }

  /// The line in at most `width` columns; figures of less weight are left out.
  func text(_ width: Int?, _ style: Style) -> String {
    let shown = width.map { fitted($0) } ?? segments
    let gap = String(
      repeating: " ", count: max(1, ScreenLine.topicWidth - DisplayWidth.of(topic)))
    let parts = shown.map { style.level($0.text, $0.level) }
    return style.bold(topic) + gap + parts.joined(separator: "  ")
  }

  private func fitted(_ width: Int) -> [ScreenSegment] {
    var kept = segments
    while columns(kept) > width,
      let rank = kept.map(\.rank).max(), rank > 0,
      let index = kept.lastIndex(where: { $0.rank == rank })
    {
      kept.remove(at: index)
    }
    // The rest is cut from the right.
    while columns(kept) > width, let last = kept.popLast() {
      let room = width - columns(kept) - 2
      guard room > 3 else { continue }
      kept.append(ScreenSegment(DisplayWidth.fitted(last.text, room), last.level))
    }
    return kept
  }

  private func columns(_ segments: [ScreenSegment]) -> Int {
    let texts = segments.reduce(0) { $0 + DisplayWidth.of($1.text) }
    return max(ScreenLine.topicWidth, DisplayWidth.of(topic) + 1) + texts + 2
      * max(0, segments.count - 1)
  }
}
