package import RoostModel

/// How a file is written.
package enum FileFormat: String, Hashable, Sendable, CaseIterable {
  case csv
  case json
  case ndjson

  /// By the name's ending; nil if it says nothing.
  package static func of(_ file: String) -> FileFormat? {
    let name = file.lowercased()
    if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return .csv }
    if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") { return .ndjson }
    return name.hasSuffix(".json") ? .json : nil
  }
}

/// Where a value comes from: the first path that is not null, else a literal.
package struct PlanField: Hashable, Sendable {
  package var paths: [FieldPath]
  package var fallback: JSONValue?

  package init(paths: [FieldPath], fallback: JSONValue? = nil) {
    self.paths = paths
    self.fallback = fallback
  }
}

/// A to-one whose target is found by its key.
package struct PlanToOne: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var attribute: String
    package var field: PlanField
  }

  package var entity: String
  package var key: [Part]
  package var createsMissing: Bool
}

/// What an attribute gets.
package struct PlanMapping: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case field(PlanField)
    case toOne(PlanToOne)
  }

  package var attribute: String
  package var rule: Rule
}

/// Files of one shape and the entity they go into.
package struct PlanSource: Hashable, Sendable {
  /// Relative to the plan.
  package var files: [String]
  package var format: FileFormat?
  package var records: [FieldPath] = []
  package var entity = ""
  package var key: [String] = []
  package var conflict = ImportConflict.update
  package var csv = CSVFormat()
  package var ignoresUnknown = false
  /// Empty: fields are called as the attributes are.
  package var mappings: [PlanMapping] = []
}

/// Several sources that are imported at the same time.
package struct ImportPlan: Hashable, Sendable {
  package var sources: [PlanSource]
}
