/// What the admin port tells of; asked on the port's threads, several at once.
package protocol AdminSource: Sendable {
  /// Why no calls can be served now, in a few words; nil if they can.
  ///
  /// May block, at most ``AdminLimits/answerMilliseconds``.
  func reasonNotReady() -> String?

  /// The figures of this moment; nil if they are not to be had in time.
  ///
  /// May block, at most ``AdminLimits/answerMilliseconds``.
  func metrics() -> [MetricFamily]?
}
