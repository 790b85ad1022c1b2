/// One thing that is measured, in the order in which a run does them.
enum Measure: String, CaseIterable, Hashable, Sendable {
  case insert
  case fetchTwo = "fetch-two"
  case fetchAll = "fetch-all"
  case release
  case keysFresh = "keys-fresh"
  case keysSame = "keys-same"
  case upsert
  case delete

  var title: String {
    switch self {
    case .insert: "insert and save"
    case .fetchTwo: "fetch all, read two"
    case .fetchAll: "fetch all, read all"
    case .release: "let them go"
    case .keysFresh: "by key, new context"
    case .keysSame: "by key, same context"
    case .upsert: "upsert all"
    case .delete: "delete all"
    }
  }

  /// GRDB with 100,000 records of 10 attributes on two cores of the same kind, measured earlier
  /// and elsewhere: objects a second, and how its records were made.
  var quoted: (figure: String, way: String)? {
    switch self {
    case .insert: ("80,000", "records")
    case .fetchTwo: ("1,200,000-1,700,000", "decoded by hand")
    case .fetchAll: ("600,000", "Codable")
    case .keysFresh: ("27,000", "records")
    case .release, .keysSame, .upsert, .delete: nil
    }
  }
}
