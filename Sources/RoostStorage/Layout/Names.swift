/// How names of entities and properties become names in the file.
enum Names {
  static func quoted(_ name: String) -> String {
    var sql = "\""
    for character in name.unicodeScalars {
      if character == "\"" { sql += "\"" }
      sql.unicodeScalars.append(character)
    }
    return sql + "\""
  }

  /// The name itself, or with a number where SQLite would take it for another one.
  ///
  /// SQLite compares names without regard to ASCII case, and keeps some for itself; ours begin
  /// with an underscore.
  static func free(_ name: String, taken: Set<String>, isTable: Bool) -> String {
    var candidate = name
    var number = 2
    while taken.contains(key(candidate)) || isReserved(candidate, isTable: isTable) {
      candidate =
        isReserved(name, isTable: isTable) ? "x\(name)_\(number)" : "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  /// What SQLite compares.
  static func key(_ name: String) -> String {
    String(
      decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }, as: UTF8.self)
  }

  private static func isReserved(_ name: String, isTable: Bool) -> Bool {
    let key = key(name)
    if key.utf8.first == UInt8(ascii: "_") { return true }
    // TRUE and FALSE are no keywords in SQLite: `IS NOT TRUE` would ask for such a column.
    return isTable ? key.hasPrefix("sqlite_") : ["rowid", "oid", "true", "false"].contains(key)
  }
}
