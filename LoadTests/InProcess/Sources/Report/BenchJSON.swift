/// A result for programs: one line.
enum BenchJSON {
  static func line(_ result: BenchResult) -> String {
    let options = result.options
    var measures: [String] = []
    for measure in Measure.allCases where options.measures.contains(measure) {
      measures.append(text(measure, result))
    }
    let head =
      "\"count\":\(result.count),\"attributes\":10,\"keys\":\(options.keys),"
      + "\"repeats\":\(options.repeats),\"seed\":\(options.seed),\"durability\":\"full\""
    return "{\(head),\"measures\":{\(measures.joined(separator: ","))}}"
  }

  private static func text(_ measure: Measure, _ result: BenchResult) -> String {
    var fields = ["\"objects\":\(result.objects(measure))"]
    for side in result.options.sides {
      if let rate = result.rate(measure, side) {
        let all = result.samples(measure, side).nanoseconds.map { "\($0)" }
        fields.append(
          "\"\(side.rawValue)\":{\"perSecond\":\(Int(rate.rounded())),"
            + "\"nanoseconds\":[\(all.joined(separator: ","))]}")
      }
    }
    if let ratio = result.ratio(measure) {
      fields.append("\"ratio\":\(BenchTable.fixed(ratio))")
    }
    if let quoted = measure.quoted {
      fields.append("\"quotedGRDB\":\"\(quoted.figure) (\(quoted.way))\"")
    }
    return "\"\(measure.rawValue)\":{\(fields.joined(separator: ","))}"
  }
}
