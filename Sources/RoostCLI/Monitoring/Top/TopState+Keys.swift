/// What a key asks of the shell around the state.
enum TopAction: Hashable, Sendable {
  case quit
  /// Ask the server now, without waiting for the interval.
  case sample
  case cancel(TopTarget)
}

extension TopState {
  /// Takes a key.
  ///
  /// - Parameters:
  ///   - key: What was typed.
  ///   - page: Rows that are shown at once.
  /// - Returns: What is to be done besides drawing.
  mutating func press(_ key: TopKey, page: Int) -> TopAction? {
    if key == .interrupt { return .quit }
    notice = nil
    switch mode {
    case .help:
      mode = .list
      return nil
    case .confirm(let target):
      mode = .list
      if key == .character("y") || key == .character("Y") { return .cancel(target) }
      notice = "\(target.name) goes on"
      return nil
    case .list: return pressInList(key, page: page)
    }
  }

  private mutating func pressInList(_ key: TopKey, page: Int) -> TopAction? {
    switch key {
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: move(by: -max(1, page))
    case .pageDown: move(by: max(1, page))
    case .home: select(0)
    case .end: select(ordered.count - 1)
    case .left: moveOrder(by: -1)
    case .right: moveOrder(by: 1)
    case .tab: return show(view.moved(by: 1))
    case .backTab: return show(view.moved(by: -1))
    case .escape, .enter, .interrupt: break
    case .character(let character): return press(character)
    }
    return nil
  }

  private mutating func press(_ character: Character) -> TopAction? {
    switch character {
    case "q", "Q": return .quit
    case "1"..."5":
      guard let place = character.wholeNumberValue, let view = TopView(rawValue: place - 1) else {
        return nil
      }
      return show(view)
    case "<", ",": moveOrder(by: -1)
    case ">", ".": moveOrder(by: 1)
    case "r", "R": listing.order?.isDescending.toggle()
    case "k", "K": askToEnd()
    case "p", "P": return pause()
    case "+", "=": changeInterval(by: 1)
    case "-", "_": changeInterval(by: -1)
    case " ": return .sample
    case "h", "H", "?": mode = .help
    default: break
    }
    return nil
  }

  private mutating func show(_ view: TopView) -> TopAction? {
    self.view = view
    return .sample
  }

  private mutating func pause() -> TopAction? {
    isPaused.toggle()
    return isPaused ? nil : .sample
  }

  private mutating func move(by step: Int) {
    let place = cursor(in: ordered) ?? 0
    // The first key selects the row it stands on.
    select(listing.selected == nil && step == 1 ? place : place + step)
  }

  private mutating func moveOrder(by step: Int) {
    let names = SectionTable(view.section).columns.map(\.name)
    guard let first = names.first else { return }
    guard let order = listing.order, let place = names.firstIndex(of: order.column) else {
      listing.order = TopOrder(column: first)
      return
    }
    listing.order?.column = names[(place + step + names.count) % names.count]
  }

  private mutating func askToEnd() {
    guard view == .operations else {
      notice = "k ends an operation: choose one in the view of operations (2)"
      return
    }
    guard let row = selectedRow, let target = TopTarget(row) else {
      notice = "there is no operation to end"
      return
    }
    mode = .confirm(target)
  }
}
