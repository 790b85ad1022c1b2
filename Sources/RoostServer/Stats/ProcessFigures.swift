import Glibc

/// What the kernel says of this process; nil where it does not say.
enum ProcessFigures {
  /// Processor time of all threads, in user and system.
  static var cpuMicroseconds: Int64? {
    var usage = rusage()
    guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
    let seconds = Int64(usage.ru_utime.tv_sec) + Int64(usage.ru_stime.tv_sec)
    return seconds * 1_000_000 + Int64(usage.ru_utime.tv_usec) + Int64(usage.ru_stime.tv_usec)
  }

  /// Bytes of memory the process holds.
  static var residentBytes: Int64? {
    guard let pages = field(1, of: "/proc/self/statm") else { return nil }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Threads: the twentieth field of `stat`, counted from behind the program's name, which stands
  /// in parentheses and may hold anything.
  static var threads: Int64? { field(17, of: "/proc/self/stat", behind: UInt8(ascii: ")")) }

  /// Open files: the size of their folder, which kernels before 6.2 do not tell.
  static var descriptors: Int64? {
    var status = stat()
    guard stat("/proc/self/fd", &status) == 0, status.st_size > 0 else { return nil }
    return Int64(status.st_size)
  }

  static var descriptorsMax: Int64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Int64(clamping: limit.rlim_cur)
  }

  static var processors: Int64 { Int64(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static func field(
    _ index: Int, of path: String, behind mark: UInt8? = nil
  ) -> Int64? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 1_024)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    var text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    if let mark, let place = text.lastIndex(of: mark) { text.removeFirst(place + 1) }
    let fields = text.split(separator: UInt8(ascii: " "))
    guard fields.count > index else { return nil }
    return Int64(String(decoding: fields[index], as: UTF8.self))
  }
}
