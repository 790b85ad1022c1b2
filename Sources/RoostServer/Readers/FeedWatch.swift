import Glibc
import RoostModel

/// Keeps a reader's answers back until the feed of commits has told of all that they show.
///
/// A commit can be read a moment before the feed tells of it. Who saw it and then asks again must
/// not be answered from a cache that has yet to hear of it.
struct FeedWatch {
  /// How long a reader waits at most: a second.
  private static let pausesMax = 20_000
  private static let pauseMicroseconds: useconds_t = 50

  private let feed: any ChangeFeed
  /// A commit that nobody told of in time is not waited for twice.
  private var givenUp: UInt64 = 0

  init(_ feed: any ChangeFeed) { self.feed = feed }

  /// Returns when the feed has told of `snapshot`; one atomic load, nearly always.
  mutating func wait(for snapshot: UInt64) {
    var pauses = 0
    while feed.latestCommit < snapshot, snapshot > givenUp {
      if pauses == FeedWatch.pausesMax { givenUp = snapshot }
      pauses += 1
      usleep(FeedWatch.pauseMicroseconds)
    }
  }
}
