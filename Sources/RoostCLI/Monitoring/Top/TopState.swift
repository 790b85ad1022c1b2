import RoostModel

/// What `roost top` shows and what was typed: keys and samples change it, a size makes lines of it.
struct TopState: Sendable {
  enum Mode: Hashable, Sendable {
    case list
    case help
    /// Waits for a word on whether to end an operation.
    case confirm(TopTarget)
  }

  /// One view's order and the row that is selected.
  struct Listing: Hashable, Sendable {
    var order: TopOrder?
    /// Names the row, which stays selected wherever it moves to.
    var selected: String?
    /// The place of the row, in case it goes.
    var cursor = 0
  }

  let url: String
  var view = TopView.clients
  var mode = Mode.list
  var isPaused = false
  /// A word on what happened last.
  var notice: String?
  /// Why there is no answer; nil while there is one.
  private(set) var failure: String?
  private(set) var sample: ServerSample?
  private(set) var rates: WatchRow?
  /// Rows by view, as they came with the last sample that had them.
  private(set) var rows: [TopView: [Figures]] = [:]
  private var listings: [TopView: Listing]
  private var step = 2
  /// What rates are taken from; by view, since a sample has the rows of one.
  private var bases: [TopView: ServerSample] = [:]
  private var base: ServerSample?

  /// Seconds between samples that may be chosen.
  static let intervals = [0.2, 0.5, 1, 2, 5, 10, 30, 60]

  init(url: String) {
    self.url = url
    var listings: [TopView: Listing] = [:]
    for view in TopView.allCases { listings[view] = Listing(order: view.firstOrder) }
    self.listings = listings
  }

  /// Seconds between samples.
  var interval: Double { TopState.intervals[step] }

  mutating func changeInterval(by change: Int) {
    step = max(0, min(TopState.intervals.count - 1, step + change))
    notice = "every \(NumberForm.decimal(interval)) s"
  }

  var listing: Listing {
    get { listings[view] ?? Listing() }
    set { listings[view] = newValue }
  }

  // MARK: Samples

  mutating func take(_ new: ServerSample) {
    failure = nil
    if case .confirm = mode, let sample, new.isOfAnother(than: sample) {
      // The same numbers are another program's call now.
      mode = .list
      notice = "the server was started anew; nothing was ended"
    }
    sample = new
    rates = WatchRow(base, new)
    if isOld(base, new) { base = new }
    for view in TopView.allCases {
      guard new.rows(view.section) != nil else { continue }
      let rated = SampleRates.added(to: new, since: bases[view])
      rows[view] = rated.rows(view.section)
      if isOld(bases[view], new) { bases[view] = new }
    }
    keepSelection()
  }

  mutating func fail(_ words: String) { failure = words }

  /// Rates over less than a part of the interval would jump; they are taken from the one before.
  private func isOld(_ base: ServerSample?, _ new: ServerSample) -> Bool {
    guard let base, let seconds = new.seconds(since: base) else { return true }
    return seconds >= interval / 2
  }

  // MARK: Rows

  /// The view's rows in its order; those that are equal in it stand as the server sent them.
  var ordered: [Figures] {
    let rows = rows[view] ?? []
    guard let order = listing.order,
      let column = SectionTable(view.section).columns.first(where: { $0.name == order.column })
    else { return rows }
    var keyed: [(key: SortKey, place: Int)] = []
    for (place, row) in rows.enumerated() { keyed.append((column.key(row), place)) }
    keyed.sort { one, other in
      if one.key == other.key { return one.place < other.place }
      return order.isDescending ? one.key > other.key : one.key < other.key
    }
    return keyed.map { rows[$0.place] }
  }

  /// The place of the selected row among the ordered ones; nil without rows.
  func cursor(in rows: [Figures]) -> Int? {
    guard !rows.isEmpty else { return nil }
    let table = SectionTable(view.section)
    if let selected = listing.selected,
      let place = rows.firstIndex(where: { table.name(of: $0) == selected })
    {
      return place
    }
    return min(listing.cursor, rows.count - 1)
  }

  var selectedRow: Figures? {
    let rows = ordered
    return cursor(in: rows).map { rows[$0] }
  }

  mutating func select(_ place: Int) {
    let rows = ordered
    guard !rows.isEmpty else { return }
    let place = max(0, min(rows.count - 1, place))
    listing.cursor = place
    listing.selected = SectionTable(view.section).name(of: rows[place])
  }

  /// Follows the selected row; where it went, its place stays selected.
  private mutating func keepSelection() {
    guard listing.selected != nil, let place = cursor(in: ordered) else { return }
    select(place)
  }
}
