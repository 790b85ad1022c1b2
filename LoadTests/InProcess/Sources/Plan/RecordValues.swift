/// The values of one object: whole numbers, doubles, short and longer text, a date, an optional.
struct RecordValues: Hashable, Sendable {
  var key: Int
  var name: String
  var city: String
  var count: Int
  var rank: Int
  var price: Double
  var ratio: Double
  var isOpen: Bool
  /// Seconds since 2001.
  var created: Double
  var note: String?

  private static let cities = [
    "Oslo", "Lima", "Kyoto", "Nairobi", "Porto", "Quito", "Reykjavík", "Montevideo",
  ]

  init(key: Int, _ numbers: inout SeededNumbers) {
    self.key = key
    name = "Station \(key) \(numbers.next() % 90 + 10)"
    city = Self.cities[Int(numbers.next() % UInt64(Self.cities.count))]
    count = Int(numbers.next() % 1_000_000)
    rank = Int(numbers.next() % 100)
    price = Double(numbers.next() % 100_000) / 100
    ratio = Double.random(in: 0..<1, using: &numbers)
    isOpen = numbers.next() % 2 == 0
    created = 700_000_000 + Double(numbers.next() % 100_000_000)
    note = numbers.next() % 2 == 0 ? nil : "checked by the \(numbers.next() % 40)th inspector"
  }
}
