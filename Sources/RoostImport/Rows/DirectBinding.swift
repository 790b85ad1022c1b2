import RoostModel

/// Binds files whose columns are called as the attributes are.
package struct DirectBinding: Hashable, Sendable {
  package var target: ImportTarget
  package var ignoresUnknown: Bool
  /// To-one targets that do not exist are made, with nothing but their key.
  package var createsMissing: Bool

  package init(_ target: ImportTarget, ignoresUnknown: Bool = false, createsMissing: Bool = false) {
    self.target = target
    self.ignoresUnknown = ignoresUnknown
    self.createsMissing = createsMissing
  }

  /// Columns for a CSV header: each name is an attribute's, or becomes one as `--create` does it.
  package func header(_ header: [String]) throws(BindingFault) -> BoundHeader {
    let plain = CSVHeader.propertyNames(header)
    var bound = BoundHeader(cells: [], columns: [])
    for (index, name) in header.enumerated() {
      let property =
        target.entity.property(named: name) ?? target.entity.property(named: plain[index])
      guard let property else {
        if ignoresUnknown { continue }
        throw unknown(name)
      }
      guard !bound.columns.contains(where: { $0.property == property.id }) else {
        throw BindingFault("the header names \"\(name)\" twice")
      }
      bound.cells.append(index)
      let slot = bound.cells.count - 1
      bound.columns.append(
        try target.column(property, slot: slot, createsMissing: createsMissing))
    }
    try checkComplete(bound.columns)
    return bound
  }

  private func unknown(_ name: String) -> BindingFault {
    BindingFault(
      "the header's \"\(name)\" is no attribute of \(target.entity.name)"
        + NearestName.hint(name, among: target.columnNames)
        + " (--ignore-unknown passes over it, a plan maps it)")
  }

  /// Every part of the key must be there, and what a new row cannot be without.
  private func checkComplete(_ columns: [BoundColumn]) throws(BindingFault) {
    for name in target.key where !columns.contains(where: { $0.name == name }) {
      throw BindingFault("the header lacks \"\(name)\", which is part of the key")
    }
    guard !columns.isEmpty else {
      throw BindingFault("no column of the file is an attribute of \(target.entity.name)")
    }
  }

  /// Fields for JSON records: every attribute, found by its name.
  package func fields() throws(BindingFault) -> BoundFields {
    var bound = BoundFields(
      fields: [], columns: [], leavesAbsent: true, rejectsOthers: !ignoresUnknown)
    for property in target.entity.properties where property.isColumn {
      // A to-one whose destination has no simple key cannot be named: its key counts as unknown.
      guard
        let column = try? target.column(
          property, slot: bound.fields.count, createsMissing: createsMissing)
      else { continue }
      bound.columns.append(column)
      bound.fields.append(FieldPath(keys: [property.name]))
    }
    guard !bound.columns.isEmpty else {
      throw BindingFault("\(target.entity.name) has no attribute that a record could name")
    }
    return bound
  }
}
