import CLinux
import Glibc

/// epoll, level-triggered, with slots that tell a stale event from a fresh one.
struct Poller {
  /// Names a registration; the generation changes when a slot is used again.
  struct Slot: Hashable {
    var index: UInt32
    var generation: UInt32
    var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }
  }

  private struct Entry {
    var owner: (any Pollable)?
    var generation: UInt32 = 0
  }

  let descriptor: Int32
  private var entries: [Entry] = []
  private var free: [UInt32] = []
  private(set) var count = 0

  init() throws(TransportError) {
    descriptor = try SystemCall.check(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
  }

  mutating func add(_ owner: any Pollable, _ interest: Readiness) throws(TransportError) -> Slot {
    let index = free.popLast() ?? UInt32(entries.count)
    if index == entries.count { entries.append(Entry()) }
    let slot = Slot(index: index, generation: entries[Int(index)].generation)
    do throws(TransportError) {
      try control(EPOLL_CTL_ADD, owner.descriptor, slot, interest)
    } catch {
      free.append(index)
      throw error
    }
    entries[Int(index)].owner = owner
    count += 1
    return slot
  }

  func change(_ slot: Slot, of descriptor: Int32, to interest: Readiness) throws(TransportError) {
    try control(EPOLL_CTL_MOD, descriptor, slot, interest)
  }

  mutating func remove(_ slot: Slot, of descriptor: Int32) {
    let index = Int(slot.index)
    guard index < entries.count, entries[index].generation == slot.generation,
      entries[index].owner != nil
    else { return }
    // A closed descriptor leaves epoll by itself; this is for those that are still open.
    _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
    entries[index].owner = nil
    entries[index].generation &+= 1
    free.append(slot.index)
    count -= 1
  }

  /// nil if the event is of a registration that is gone.
  func owner(of token: UInt64) -> (any Pollable)? {
    let index = Int(token & 0xFFFF_FFFF)
    guard index < entries.count, entries[index].generation == UInt32(token >> 32) else {
      return nil
    }
    return entries[index].owner
  }

  var owners: [any Pollable] { entries.compactMap(\.owner) }

  private func control(
    _ operation: Int32, _ target: Int32, _ slot: Slot, _ interest: Readiness
  ) throws(TransportError) {
    var event = epoll_event()
    if interest.contains(.readable) { event.events |= EPOLLIN.rawValue }
    if interest.contains(.writable) { event.events |= EPOLLOUT.rawValue }
    event.data.u64 = slot.token
    try SystemCall.check(epoll_ctl(descriptor, operation, target, &event), "epoll_ctl")
  }

  static func readiness(of events: UInt32) -> Readiness {
    var readiness: Readiness = []
    if events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
    if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
    if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.hungUp) }
    return readiness
  }
}
