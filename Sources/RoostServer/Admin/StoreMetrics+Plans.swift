import RoostAdmin

extension StoreMetrics {
  /// How a figure of the store is told; one without a plan is not.
  struct Plan {
    var figure: String
    var name: String
    var kind: MetricFamily.Kind
    var help: String
    var isMicroseconds = false

    init(_ figure: String, _ name: String, _ kind: MetricFamily.Kind, _ help: String) {
      self.figure = figure
      self.name = name
      self.kind = kind
      self.help = help
    }

    static func counter(_ figure: String, _ name: String, _ help: String) -> Plan {
      Plan(figure, name + "_total", .counter, help)
    }

    static func gauge(_ figure: String, _ name: String, _ help: String) -> Plan {
      Plan(figure, name, .gauge, help)
    }

    static func seconds(_ figure: String, _ name: String, _ help: String) -> Plan {
      var plan = Plan(figure, name, .gauge, help)
      plan.isMicroseconds = true
      return plan
    }
  }

  static let plans: [Plan] = [
    .counter("commits", "commits", "Requests committed."),
    .counter("groups", "groups", "Transactions: each commits one or more requests."),
    .counter("requests", "requests", "Requests the writer took."),
    .counter("failedRequests", "failed_requests", "Requests the writer refused."),
    .counter("busy", "busy", "Times the file was locked by another process."),
    .counter("outcomesUnknown", "outcomes_unknown", "Commits that may or may not have happened."),
    .counter("syncsFailed", "failed_syncs", "Syncs between commits that the disk refused."),
    .gauge("writerBroken", "writer_broken", "1 from an unknown outcome to a reopening."),
    .counter("checkpoints", "checkpoints", "Checkpoints of the write-ahead log."),
    .counter(
      "checkpointsIncomplete", "checkpoints_incomplete", "Checkpoints that a reader held up."),
    .counter("importsBegun", "imports", "Imports begun or resumed."),
    .counter("chunks", "import_chunks", "Chunks of imports committed."),
    .counter("chunksDuplicate", "import_chunks_duplicate", "Chunks that had been taken before."),
    .counter("cacheHits", "page_cache_hits", "Pages SQLite found in the writer's cache."),
    .counter("cacheMisses", "page_cache_misses", "Pages SQLite read from the file."),
    .gauge("cacheBytes", "page_cache_bytes", "Bytes of the writer's page cache."),
    .gauge("walBytes", "wal_bytes", "Bytes of the write-ahead log."),
    .gauge("readers", "readers", "Connections that read."),
    .gauge("queueDepth", "queue_requests", "Requests that wait for the writer."),
    .gauge("queueDepthMax", "queue_requests_highest", "Most requests that ever waited."),
    .gauge("queueLimit", "queue_limit_requests", "Requests that may wait."),
    .gauge("queueBytes", "queue_bytes", "Bytes of requests that wait for the writer."),
    .gauge("queueLimitBytes", "queue_limit_bytes", "Bytes of requests that may wait."),
    .seconds("groupMicrosecondsMax", "group_highest_seconds", "The longest transaction."),
    .seconds(
      "checkpointMicrosecondsMax", "checkpoint_highest_seconds", "The longest checkpoint."),
  ]
}
