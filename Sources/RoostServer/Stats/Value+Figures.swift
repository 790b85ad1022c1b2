import RoostModel

extension Value {
  /// A counter as statistics carry it: the largest integer for what is beyond it.
  static func natural(_ number: UInt64) -> Value { .int(Int64(clamping: number)) }
}

extension LatencyHistogram {
  /// The four figures that statistics tell of the latencies of a method's calls, keys ascending.
  var quantileEntries: [MapEntry] {
    [
      MapEntry("maxMicroseconds", .natural(maxMicroseconds)),
      MapEntry("p50Microseconds", .natural(quantile(0.5))),
      MapEntry("p999Microseconds", .natural(quantile(0.999))),
      MapEntry("p99Microseconds", .natural(quantile(0.99))),
    ]
  }
}
