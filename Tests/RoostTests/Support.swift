import Foundation
import SwiftData

/// Containers for tests.
enum Make {
  static func library() throws -> ModelContext {
    ModelContext(try libraryContainer())
  }

  static func libraryContainer() throws -> ModelContainer {
    try ModelContainer(
      for: Author.self, Book.self, Shelf.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
  }

  static func odd() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: OddSchema.self),
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  static func owners() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Owner.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }

  static func words() throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Category.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
  }
}

/// A folder of its own, gone afterwards.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("roost-tests-" + UUID().uuidString, isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension ModelContext {
  func all<T: PersistentModel>(_ type: T.Type) throws -> [T] { try fetch(FetchDescriptor<T>()) }
  func count<T: PersistentModel>(_ type: T.Type) throws -> Int {
    try fetchCount(FetchDescriptor<T>())
  }
}
