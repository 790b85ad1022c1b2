/// A value of a document together with its place, for messages.
struct PlanNode {
  let value: JSONValue
  let place: String

  init(_ value: JSONValue, at place: String) {
    self.value = value
    self.place = place
  }

  subscript(_ key: String) -> PlanNode? {
    value[key].map { PlanNode($0, at: inner(key)) }
  }

  private func inner(_ key: String) -> String {
    place.hasPrefix("the ") ? key : "\(place).\(key)"
  }

  func fault(_ reason: String) -> BindingFault { BindingFault("\(place): \(reason)") }

  private func expected(_ what: String) -> BindingFault {
    fault("should be \(what), not \(value.kindName)")
  }

  func required(_ key: String) throws(BindingFault) -> PlanNode {
    guard let node = self[key] else { throw fault("lacks \"\(key)\"") }
    return node
  }

  func checkKeys(_ known: [String]) throws(BindingFault) {
    guard case .object(let members) = value else { throw expected("an object") }
    for member in members where !known.contains(member.key) {
      throw fault("unknown key \"\(member.key)\"\(NearestName.hint(member.key, among: known))")
    }
  }

  func members() throws(BindingFault) -> [(key: String, node: PlanNode)] {
    guard case .object(let members) = value else { throw expected("an object") }
    return members.map { ($0.key, PlanNode($0.value, at: inner($0.key))) }
  }

  func items() throws(BindingFault) -> [PlanNode] {
    guard case .array(let items) = value else { throw expected("an array") }
    return items.enumerated().map { PlanNode($1, at: "\(place)[\($0)]") }
  }

  func string() throws(BindingFault) -> String {
    guard case .string(let text) = value else { throw expected("a string") }
    return text
  }

  func bool() throws(BindingFault) -> Bool {
    guard case .bool(let flag) = value else { throw expected("true or false") }
    return flag
  }

  /// An array of strings, or a single one.
  func strings() throws(BindingFault) -> [String] {
    if case .string(let text) = value { return [text] }
    var texts: [String] = []
    for item in try items() { texts.append(try item.string()) }
    return texts
  }

  func choice<Choice>(
    _ choices: [Choice], _ name: (Choice) -> String
  ) throws(BindingFault) -> Choice {
    let text = try string()
    guard let choice = choices.first(where: { name($0) == text }) else {
      let names = choices.map { "\"\(name($0))\"" }.joined(separator: ", ")
      throw fault("should be one of \(names), not \"\(text)\"")
    }
    return choice
  }
}
