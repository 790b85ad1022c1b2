/// Row identifiers in the order they were touched, kept as ranges.
///
/// A large import touches neighbouring rows, so a million of them are a handful of ranges.
public struct RowSet: Hashable, Sendable {
  /// Ranges that ascend and do not touch.
  public private(set) var ranges: [ClosedRange<Int64>] = []
  /// How many rows there are.
  public private(set) var count = 0

  /// Makes one from its parts.
  public init() {}

  /// Makes one from its parts.
  public init(_ rows: some Sequence<Int64>) {
    for row in rows { append(row) }
  }

  /// Adds a row at the end. The caller keeps rows unique.
  ///
  /// - Complexity: O(1) amortised.
  public mutating func append(_ row: Int64) {
    count += 1
    if let last = ranges.last, last.upperBound < .max, last.upperBound + 1 == row {
      ranges[ranges.count - 1] = last.lowerBound...row
    } else {
      ranges.append(row...row)
    }
  }

  /// Adds rows that all come after those that are in it.
  public mutating func append(contentsOf rows: RowSet) {
    for range in rows.ranges {
      if let last = ranges.last, last.upperBound < .max, last.upperBound + 1 == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound...range.upperBound
      } else {
        ranges.append(range)
      }
    }
    count += rows.count
  }

  /// - Complexity: O(ranges).
  public func contains(_ row: Int64) -> Bool {
    ranges.contains { $0.contains(row) }
  }

  /// Whether there is no row.
  public var isEmpty: Bool { ranges.isEmpty }
}

extension RowSet: ExpressibleByArrayLiteral {
  /// Makes one from its parts.
  public init(arrayLiteral elements: Int64...) { self.init(elements) }
}

extension RowSet: Sequence {
  /// Steps through the ranges row by row.
  public struct Iterator: IteratorProtocol {
    private let ranges: [ClosedRange<Int64>]
    private var index = 0
    private var upcoming: Int64?

    init(_ ranges: [ClosedRange<Int64>]) {
      self.ranges = ranges
      upcoming = ranges.first?.lowerBound
    }

    /// The next row; nil after the last.
    public mutating func next() -> Int64? {
      guard let row = upcoming else { return nil }
      if row < ranges[index].upperBound {
        upcoming = row + 1
      } else {
        index += 1
        upcoming = index < ranges.count ? ranges[index].lowerBound : nil
      }
      return row
    }
  }

  /// Starts at the lowest row.
  public func makeIterator() -> Iterator { Iterator(ranges) }
  /// How many rows there are.
  public var underestimatedCount: Int { count }
}
