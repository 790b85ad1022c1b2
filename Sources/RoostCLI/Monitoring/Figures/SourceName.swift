/// What an import reads from, without the folders before it: `flights.csv and 3 more`.
enum SourceName {
  /// Nil for an import that does not tell; control characters are taken out.
  static func short(_ job: Figures) -> String? {
    guard let source = job.text("source") else { return nil }
    // A name that ends with a slash is shown as it is.
    let name = source.split(separator: "/").last.map { String($0) } ?? source
    return TableWriter.oneLine(name)
  }
}
