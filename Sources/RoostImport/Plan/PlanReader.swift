package import RoostModel

/// Reads import plans; a mistake names its place in the plan and what would be right.
package enum PlanReader {
  package static func read(_ document: JSONValue) throws(BindingFault) -> ImportPlan {
    let root = PlanNode(document, at: "the plan")
    try root.checkKeys(["sources"])
    let list = try root.required("sources").items()
    guard !list.isEmpty else { throw BindingFault("sources: a plan needs at least one") }
    var sources: [PlanSource] = []
    for item in list { sources.append(try source(item)) }
    return ImportPlan(sources: sources)
  }

  private static let sourceKeys = [
    "files", "format", "records", "entity", "key", "onConflict", "null", "delimiter",
    "ignoreUnknown", "map",
  ]

  private static func source(_ node: PlanNode) throws(BindingFault) -> PlanSource {
    try node.checkKeys(sourceKeys)
    var source = PlanSource(files: try node.required("files").strings())
    guard !source.files.isEmpty else { throw node.fault("files: name at least one file") }
    source.entity = try node.required("entity").string()
    source.records = try node["records"]?.strings().map { FieldPath($0) } ?? []
    source.key = try node["key"]?.strings() ?? []
    source.ignoresUnknown = try node["ignoreUnknown"]?.bool() ?? false
    source.csv.nullWords = try node["null"]?.strings() ?? []
    if let format = node["format"] {
      source.format = try format.choice(FileFormat.allCases, \.rawValue)
    }
    if let delimiter = node["delimiter"] {
      source.csv.delimiter = try singleByte(delimiter)
    }
    if let conflict = node["onConflict"] {
      source.conflict = try conflict.choice(ImportConflict.allCases, \.word)
    }
    for member in try node["map"]?.members() ?? [] {
      source.mappings.append(try mapping(member.key, member.node))
    }
    return source
  }

  private static func singleByte(_ node: PlanNode) throws(BindingFault) -> UInt8 {
    let text = Array(try node.string().utf8)
    guard text.count == 1, text[0] < 0x80, text[0] != Byte.quote, text[0] != Byte.lineFeed else {
      throw node.fault("should be one ASCII character, such as \";\"")
    }
    return text[0]
  }

  // MARK: Mappings

  private static func mapping(
    _ attribute: String, _ node: PlanNode
  ) throws(BindingFault) -> PlanMapping {
    guard node["entity"] != nil else {
      return PlanMapping(attribute: attribute, rule: .field(try field(node)))
    }
    try node.checkKeys(["entity", "key", "missing"])
    var parts: [PlanToOne.Part] = []
    for member in try node.required("key").members() {
      parts.append(PlanToOne.Part(attribute: member.key, field: try field(member.node)))
    }
    let creates = try node["missing"]?.choice(["reject", "create"], \.self) == "create"
    return PlanMapping(
      attribute: attribute,
      rule: .toOne(
        PlanToOne(entity: try node.required("entity").string(), key: parts, createsMissing: creates)
      ))
  }

  private static func field(_ node: PlanNode) throws(BindingFault) -> PlanField {
    if case .string(let path) = node.value { return PlanField(paths: [FieldPath(path)]) }
    guard case .object = node.value else {
      throw node.fault(
        "should be a path such as \"origin.code\" or an object with path, coalesce, value or "
          + "entity, not \(node.value.kindName)")
    }
    try node.checkKeys(["path", "coalesce", "else", "value"])
    if let value = node["value"] {
      guard node["path"] == nil, node["coalesce"] == nil, node["else"] == nil else {
        throw node.fault("\"value\" stands alone: it is the same for every record")
      }
      return PlanField(paths: [], fallback: value.value)
    }
    var paths: [FieldPath] = []
    if let path = node["path"] { paths.append(FieldPath(try path.string())) }
    paths += try node["coalesce"]?.strings().map { FieldPath($0) } ?? []
    guard !paths.isEmpty else { throw node.fault("needs \"path\", \"coalesce\" or \"value\"") }
    let fallback = node["else"]?.value
    return PlanField(paths: paths, fallback: fallback == .null ? nil : fallback)
  }
}

extension ImportConflict {
  /// The word for it in commands and plans.
  package var word: String {
    switch self {
    case .update: "update"
    case .ignore: "ignore"
    case .fail: "fail"
    }
  }
}
