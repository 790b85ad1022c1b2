import RoostModel

/// What a MESSAGE frame came to.
enum ReceivedMessage {
  /// A fragment; more will follow.
  case partial
  /// A whole message, and the credit to give back when it has been taken.
  case whole(MessageBody, credit: Int)
  /// The message cannot be had; the stream must end with this.
  case broken(MessageError)
}

/// Messages in: credit is charged, fragments are joined, deflated ones inflated.
extension ConnectionCore {
  /// Charges a message's bytes to the connection, whichever stream it is for.
  mutating func chargeConnection(_ frame: Frame) throws(WireError) {
    let counted = Int(frame.header.length)
    guard receiveCredit > 0 || counted == 0 else {
      throw WireError(
        .resourceExhausted, .protocolViolation, "a message came without connection credit")
    }
    receiveCredit -= counted
    connectionUnreturned += counted
  }

  /// A message for a stream that has ended: dropped, its connection credit goes back.
  mutating func dropLate(_ frame: Frame) throws(WireError) {
    try chargeConnection(frame)
    lateAllowance -= Int(frame.header.length)
    guard lateAllowance >= 0 else {
      throw .violation("too many bytes for streams that have ended")
    }
    returnConnectionCredit()
  }

  mutating func receive(_ frame: Frame, at index: Int) throws(WireError) -> ReceivedMessage {
    let flags = frame.flags
    guard !(flags.contains(.more) && flags.contains(.end)) else {
      throw .violation("a message that goes on cannot end its stream")
    }
    guard !flags.contains(.deflate) || peer.mayDeflate else {
      throw .violation("DEFLATE was not agreed on")
    }
    let counted = Int(frame.header.length)
    guard streams[index].receiveCredit > 0 || counted == 0 else {
      throw WireError(
        .resourceExhausted, .protocolViolation, "a message came without stream credit")
    }
    try chargeConnection(frame)
    streams[index].receiveCredit -= counted
    streams[index].unreturned += counted
    undelivered += counted
    if flags.contains(.end) { streams[index].flags.insert(.inputEnded) }
    let isFragment = flags.contains(.more) || streams[index].flags.contains(.hasExtras)
    let received =
      if isFragment { try join(frame, at: index) } else { whole(frame, credit: counted) }
    returnConnectionCredit()
    return received
  }

  private func whole(_ frame: Frame, credit: Int) -> ReceivedMessage {
    guard frame.flags.contains(.deflate) else {
      guard frame.payload.count <= limits.messageBytesMax else { return tooLarge }
      return .whole(.view(frame.payload), credit: credit)
    }
    return inflated(frame.payload, credit: credit)
  }

  private func inflated(_ bytes: UnsafeRawBufferPointer, credit: Int) -> ReceivedMessage {
    do throws(MessageError) {
      let message = try Compression.inflate(bytes, messageBytesMax: limits.messageBytesMax)
      return .whole(.owned(message), credit: credit)
    } catch {
      return .broken(error)
    }
  }

  private var tooLarge: ReceivedMessage {
    .broken(
      MessageError(
        .messageSize, "the message is over max_message \(limits.messageBytesMax)"))
  }

  /// Adds a fragment to the message that is being joined, or starts one.
  private mutating func join(_ frame: Frame, at index: Int) throws(WireError) -> ReceivedMessage {
    let counted = Int(frame.header.length)
    let isLast = !frame.flags.contains(.more)
    let isDeflated = frame.flags.contains(.deflate)
    let id = streams[index].id
    let before = extras[id]
    if before?.isDiscarding == true {
      if isLast { withExtras(at: index) { $0.isDiscarding = false } }
      returnCredit(counted, at: index)
      return .partial
    }
    guard let fragments = before?.fragments else {
      guard !isLast else { return whole(frame, credit: counted) }
      withExtras(at: index) {
        $0.fragments = [UInt8](frame.payload)
        $0.fragmentsAreDeflated = isDeflated
      }
      returnCredit(counted, at: index)
      return .partial
    }
    guard before?.fragmentsAreDeflated == isDeflated else {
      throw .violation("fragments of one message disagree on DEFLATE")
    }
    guard fragments.count + frame.payload.count <= limits.messageBytesMax else {
      withExtras(at: index) {
        $0.fragments = nil
        $0.isDiscarding = !isLast
      }
      returnCredit(counted, at: index)
      return tooLarge
    }
    guard isLast else {
      withExtras(at: index) { $0.fragments?.append(contentsOf: frame.payload) }
      returnCredit(counted, at: index)
      return .partial
    }
    var message = withExtras(at: index) { extra in
      let message = extra.fragments ?? []
      extra.fragments = nil
      return message
    }
    message.append(contentsOf: frame.payload)
    guard isDeflated else { return .whole(.owned(message), credit: counted) }
    return message.withUnsafeBytes { inflated($0, credit: counted) }
  }
}
