import RoostModel

/// What rows are ordered by; what is missing comes last in a descending order.
enum SortKey: Comparable, Hashable {
  case missing
  case number(Double)
  case text(String)
}

/// A column of a section's table.
struct SectionColumn: Sendable {
  var name: String
  var isNumber: Bool
  /// The cell's text; control characters are the table's business.
  var cell: @Sendable (Figures) -> String
  var key: @Sendable (Figures) -> SortKey
  /// Columns of a terminal from which on it is shown.
  var from = 0

  /// Known only from the difference of two samples.
  var isRate = false

  /// The same for wide terminals only.
  func shown(from columns: Int) -> SectionColumn {
    var column = self
    column.from = columns
    return column
  }

  /// A rate of our own, see ``SampleRates``.
  static func rate(_ name: String, _ key: String) -> SectionColumn {
    var column = count(name, key)
    column.isRate = true
    return column
  }

  private static func figure(
    _ name: String, _ key: String, _ form: @escaping @Sendable (Double?) -> String
  ) -> SectionColumn {
    SectionColumn(
      name: name, isNumber: true, cell: { form($0.number(key)) },
      key: { $0.number(key).map { .number($0) } ?? .missing })
  }

  static func count(_ name: String, _ key: String) -> SectionColumn {
    figure(name, key, FigureForm.count)
  }

  static func bytes(_ name: String, _ key: String) -> SectionColumn {
    figure(name, key, FigureForm.bytes)
  }

  static func milliseconds(_ name: String, _ key: String) -> SectionColumn {
    figure(name, key) { FigureForm.time(milliseconds: $0) }
  }

  static func microseconds(_ name: String, _ key: String) -> SectionColumn {
    figure(name, key) { FigureForm.time(microseconds: $0) }
  }

  static func share(_ name: String, _ key: String) -> SectionColumn {
    figure(name, key, FigureForm.share)
  }

  static func clock(_ name: String, _ key: String) -> SectionColumn {
    figure(name, key) { FigureForm.clock(milliseconds: $0) }
  }

  static func text(_ name: String, _ key: String) -> SectionColumn {
    SectionColumn(
      name: name, isNumber: false, cell: { $0.text(key) ?? FigureForm.missing },
      key: { $0.text(key).map { .text($0) } ?? .missing })
  }

  /// Computed of several figures.
  static func computed(
    _ name: String, _ form: @escaping @Sendable (Double?) -> String,
    _ number: @escaping @Sendable (Figures) -> Double?
  ) -> SectionColumn {
    SectionColumn(
      name: name, isNumber: true, cell: { form(number($0)) },
      key: { number($0).map { .number($0) } ?? .missing })
  }

  /// `c#12`
  static func client(_ key: String) -> SectionColumn {
    SectionColumn(
      name: "client", isNumber: false,
      cell: { "c#" + ($0.number(key).map { FigureForm.fixed($0, 0) } ?? FigureForm.missing) },
      key: { $0.number(key).map { .number($0) } ?? .missing })
  }

  var output: OutputColumn { OutputColumn(name: name, type: isNumber ? .int : .text) }
}
