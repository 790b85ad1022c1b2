/// Why a file is no result of a run; says which file and what would be right.
struct RecordError: Error, Hashable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
