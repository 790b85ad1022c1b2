/// The way from a record to a value: the keys of the objects between, outermost first.
package struct FieldPath: Hashable, Sendable {
  package var keys: [String]

  package init(keys: [String]) { self.keys = keys }

  /// Reads `origin.code`; a dot that belongs to a key is written `\.`, the empty text is the root.
  package init(_ text: String) {
    var keys: [String] = []
    var key = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        if character != "." { key.append("\\") }
        key.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "." {
        keys.append(key)
        key = ""
      } else {
        key.append(character)
      }
    }
    if isEscaped { key.append("\\") }
    if !text.isEmpty { keys.append(key) }
    self.keys = keys
  }
}

extension FieldPath: CustomStringConvertible {
  package var description: String {
    keys.map { $0.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.") }
      .joined(separator: ".")
  }
}

/// Paths merged into a tree, so that one walk over a record finds all their values.
struct FieldTree {
  struct Node {
    /// Where the value goes, if a path ends here.
    var slot: Int?
    var children: [(key: [UInt8], node: Int)] = []
  }

  private(set) var nodes: [Node] = [Node()]
  let slotCount: Int

  /// The value of `paths[i]` goes to slot i.
  init(_ paths: [FieldPath]) {
    slotCount = paths.count
    for (slot, path) in paths.enumerated() { nodes[insert(path)].slot = slot }
  }

  private mutating func insert(_ path: FieldPath) -> Int {
    var current = 0
    for key in path.keys.map({ Array($0.utf8) }) {
      if let known = nodes[current].children.first(where: { $0.key == key }) {
        current = known.node
        continue
      }
      nodes.append(Node())
      nodes[current].children.append((key, nodes.count - 1))
      current = nodes.count - 1
    }
    return current
  }

  /// The child of a node, for a key as it stands in the text.
  func child(of node: Int, _ key: JSONText, in bytes: UnsafeRawBufferPointer) -> Int? {
    let children = nodes[node].children
    if children.isEmpty { return nil }
    let raw = bytes.part(key.start, key.count)
    if key.hasEscapes {
      let resolved = JSONEscapes.resolved(raw)
      return children.first { $0.key == resolved }?.node
    }
    for index in children.indices where raw.equals(children[index].key) {
      return children[index].node
    }
    return nil
  }
}
