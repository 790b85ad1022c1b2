import Foundation
import Roost

/// The measured class: ten attributes, one of them unique.
@Model final class BenchRecord {
  @Attribute(.unique) var key: Int
  var name: String
  var city: String
  var count: Int
  var rank: Int
  var price: Double
  var ratio: Double
  var isOpen: Bool
  var created: Date
  var note: String?

  init(_ values: RecordValues) {
    key = values.key
    name = values.name
    city = values.city
    count = values.count
    rank = values.rank
    price = values.price
    ratio = values.ratio
    isOpen = values.isOpen
    created = Date(timeIntervalSinceReferenceDate: values.created)
    note = values.note
  }
}
