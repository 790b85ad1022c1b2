/// What a query shape's figures come to.
enum QueryFigures {
  /// Rows read for each row given; nil without calls.
  static func scannedPerRow(_ query: Figures) -> Double? {
    guard let scanned = query.number("rowsScanned"), let rows = query.number("rows") else {
      return nil
    }
    return scanned / max(1, rows)
  }

  static func perCall(_ name: String, _ query: Figures) -> Double? {
    guard let number = query.number(name), let calls = query.number("calls"), calls > 0 else {
      return nil
    }
    return number / calls
  }
}
