extension DoctorRules {
  /// What the store's safety hangs on: its writer, its disk, its log.
  static let store: [DoctorRule] = [
    DoctorRule(name: "writerBroken", subject: "the writer works") { sample in
      guard let isBroken = sample.figures.flag("writerBroken") else { return .untold }
      guard isBroken else { return .well("yes") }
      return .found(
        DoctorFinding(
          level: .critical,
          what: "the writer is broken: the store takes no writes until it is opened again",
          figure: sample.figures.text("lastError") ?? "no reason told", threshold: "must work",
          advice: "look at the disk and the server's log, then start the server again"))
    },
    DoctorRule(name: "outcomesUnknown", subject: "outcomes unknown") { sample in
      DoctorRule.none(
        sample.figures.number("outcomesUnknown"), .critical,
        (
          "writes since the start may or may not have happened",
          "compare what clients were told with the data; look at the disk's errors"
        ))
    },
    DoctorRule(name: "lastError", subject: "errors of the store") { sample in
      guard sample.figures.number("requests") != nil else { return .untold }
      guard let error = sample.figures.text("lastError") else { return .well("none") }
      return .found(
        DoctorFinding(
          level: .warning, what: "the store met an error since the start", figure: error,
          threshold: "none", advice: "look at the disk and the server's log"))
    },
    DoctorRule(name: "syncsFailed", subject: "failed syncs") { sample in
      DoctorRule.none(
        sample.figures.number("syncsFailed"), .critical,
        (
          "the disk refused to keep what was written",
          "check the disk and its file system; back the store up before anything else"
        ))
    },
    DoctorRule(name: "diskFree", subject: "free disk") { sample in diskFree(sample.figures) },
    DoctorRule(name: "wal", subject: "size of the log") { sample in
      let limit = sample.figures.number("walBytesLimit")
      return DoctorRule.above(
        sample.figures.number("walBytes"), limit.map { $0 * MonitorLimits.walOverLimit }, .warning,
        FigureForm.bytes,
        (
          "the write-ahead log outgrew its limit: readers do not let it begin anew",
          "look for old snapshots in roost stats URL clients; queries that overlap all the time "
            + "have the same effect, see roost slow URL"
        ))
    },
    DoctorRule(name: "checkpoints", subject: "checkpoints") { sample in
      DoctorRule.none(
        sample.figures.number("window", "checkpointsIncomplete"), .warning,
        (
          "checkpoints in the last \(window(sample)) could not take in the whole log",
          "look for long queries and slow readers in roost stats URL operations"
        ))
    },
    DoctorRule(name: "writerBusy", subject: "busy writer") { sample in
      DoctorRule.above(
        sample.figures.number("window", "writerBusyShare"), MonitorLimits.writerBusyShare, .warning,
        FigureForm.share,
        (
          "the writer was busy for most of the last \(window(sample)): writes begin to wait",
          "send more rows in one write, spread imports, or use faster storage"
        ))
    },
    DoctorRule(name: "writerStalled", subject: "commit under way") { sample in
      DoctorRule.above(
        sample.figures.number("writerGroupMicroseconds"), MonitorLimits.stalledGroupMicroseconds,
        .critical, { FigureForm.time(microseconds: $0) },
        (
          "the writer hangs in one commit",
          "check the disk; a delete that cascades widely may take long too"
        ))
    },
    DoctorRule(name: "oldestRequest", subject: "oldest write waiting") { sample in
      DoctorRule.above(
        sample.figures.number("queueOldestMicroseconds"), MonitorLimits.oldestRequestMicroseconds,
        .warning, { FigureForm.time(microseconds: $0) },
        (
          "writes wait long for their turn",
          "look at the writer in roost stats URL: a slow disk, or more writes than it takes"
        ))
    },
    DoctorRule(name: "commitLatency", subject: "commits, p99") { sample in
      DoctorRule.above(
        sample.figures.number("window", "commitMicroseconds", "p99"),
        MonitorLimits.commitMicroseconds, .warning, { FigureForm.time(microseconds: $0) },
        (
          "commits of the last \(window(sample)) were slow, mostly their sync to the disk",
          "use storage with faster syncs, or --durability group if losing milliseconds is allowed"
        ))
    },
    DoctorRule(name: "durability", subject: "durability") { sample in
      guard let durability = sample.figures.text("durability") else { return .untold }
      guard durability == "relaxed" else { return .well(durability) }
      return .found(
        DoctorFinding(
          level: nil, what: "a power loss may take the last seconds of acknowledged writes",
          figure: durability, threshold: "full or group",
          advice: "serve with --durability full unless that is meant"))
    },
  ]

  private static func diskFree(_ figures: Figures) -> DoctorVerdict {
    guard let free = figures.number("diskFreeBytes"), let needed = DiskRoom.needed(figures) else {
      return .untold
    }
    guard free < needed else { return .well(FigureForm.bytes(free)) }
    return .found(
      DoctorFinding(
        level: .critical, what: "the disk is nearly full: writes will fail when it is",
        figure: "\(FigureForm.bytes(free)) free",
        threshold:
          "at least \(FigureForm.bytes(needed)): twice the log's limit and 5 % of the disk",
        advice: "free some room or move the store to a larger disk"))
  }
}
