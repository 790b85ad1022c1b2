import Glibc
import RoostModel

/// The file of a store, by the one name that stands for it.
///
/// A lock is named after the file, so two names of one file must come to one name: links are
/// followed. A second hard link stays another name, as it does for SQLite itself.
struct StoreFile {
  let path: String

  /// - Throws: FAILED_PRECONDITION for what can be no store: a folder, or a file nobody may write.
  init(_ name: String) throws(StoreError) {
    path = Self.followed(name)
    var information = stat()
    if stat(path, &information) == 0 {
      guard information.st_mode & S_IFMT == S_IFREG else {
        let what = information.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no plain file"
        throw Self.unfit(name, "it is \(what); name the file that keeps the store")
      }
      guard access(path, R_OK | W_OK) == 0 else {
        throw Self.unfit(name, "this process may not read and write it")
      }
      return
    }
    let folder = Self.folder(of: path)
    guard stat(folder, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
      throw Self.unfit(name, "there is no folder \(folder); make it first")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw Self.unfit(name, "this process may make no files in \(folder)")
    }
  }

  private static func unfit(_ name: String, _ reason: String) -> StoreError {
    StoreError(.failedPrecondition, .none, "the store \(name) cannot be opened: \(reason)")
  }

  /// The name without links; of a file that is still to be made, its folder's without.
  private static func followed(_ name: String, links: Int = 0) -> String {
    if let real = real(name) { return real }
    if links < 40, let target = target(of: name) {
      let isWhole = target.utf8.first == UInt8(ascii: "/")
      return followed(isWhole ? target : "\(folder(of: name))/\(target)", links: links + 1)
    }
    guard let folder = real(folder(of: name)) else { return name }
    let last = name.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
    return folder == "/" ? "/\(last)" : "\(folder)/\(last)"
  }

  private static func real(_ name: String) -> String? {
    guard let pointer = realpath(name, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  private static func target(of name: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(name, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func folder(of name: String) -> String {
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == name.utf8.startIndex ? "/" : String(name[..<slash])
  }
}
