package import RoostModel

/// Names of types as people write them in commands and files.
package enum TypeName {
  /// The type called `name` in any case.
  package static func type(_ name: String) throws(BindingFault) -> AttributeType {
    let wanted = name.lowercased()
    for type in AttributeType.allCases where type.name.lowercased() == wanted { return type }
    if let type = aliases[wanted] { return type }
    let names = AttributeType.allCases.map(\.name)
    throw BindingFault("\"\(name)\" is no type\(NearestName.hint(name, among: names))")
  }

  private static let aliases: [String: AttributeType] = [
    "text": .text, "url": .text, "boolean": .bool, "integer": .int, "int64": .int, "float": .double,
    "bytes": .data, "datetime": .date, "timestamp": .date,
  ]

  /// Reads `flight=Int,code=String`.
  package static func list(_ text: String) throws(BindingFault) -> [String: AttributeType] {
    var types: [String: AttributeType] = [:]
    for part in text.split(separator: ",") {
      guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
        throw BindingFault("\"\(part)\" should read ATTRIBUTE=TYPE, such as flight=String")
      }
      types[String(part[..<equals])] = try type(String(part[part.index(after: equals)...]))
    }
    return types
  }
}
