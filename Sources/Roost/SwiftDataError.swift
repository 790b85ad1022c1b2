/// Why a container, a context or a fetch did not do what was asked.
///
/// Two errors are equal when their code is; ``message`` says what exactly was wrong and where.
public struct SwiftDataError: Error, Sendable {
  private enum Code: String, Sendable {
    case includePendingChangesWithBatchSize, sortingPendingChangesWithIdentifiers
    case unsupportedPredicate, unsupportedKeyPath, unsupportedSortDescriptor
    case configurationFileNameContainsInvalidCharacters, configurationFileNameTooLong
    case configurationSchemaNotFoundInContainerSchema, duplicateConfiguration
    case loadIssueModelContainer, modelValidationFailure, missingModelContext
    case backwardMigration, unknownSchema, unsupportedMigration
    case historyTokenExpired, invalidTransactionFetchRequest, unknownDataStoreSchema
    case storeFailure
  }

  private let code: Code
  /// What was wrong, where, and what would be right; safe to log.
  public private(set) var message = ""
  /// The error below, if there is one.
  public private(set) var underlying: (any Error)?

  private init(_ code: Code) { self.code = code }

  func because(_ message: String, underlying: (any Error)? = nil) -> SwiftDataError {
    var error = self
    error.message = message
    error.underlying = underlying
    return error
  }

  /// A batched fetch cannot include pending changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    .includePendingChangesWithBatchSize)
  /// Identifiers cannot be sorted together with pending changes.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    .sortingPendingChangesWithIdentifiers)
  /// The predicate holds an expression the store has no form for; the message names it.
  public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
  /// The key path does not lead to a stored property; the message names it.
  public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
  /// The sort descriptor does not lead to a stored property.
  public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)
  /// The configuration's name cannot be a file's name.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    .configurationFileNameContainsInvalidCharacters)
  /// The configuration's name is too long for a file's name.
  public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
  /// The configuration's schema has classes the container's schema lacks.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    .configurationSchemaNotFoundInContainerSchema)
  /// Two configurations name the same store or the same class.
  public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)
  /// The store could not be opened; ``underlying`` says why.
  public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
  /// A value or relationship breaks a rule of the schema; the message names it.
  public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)
  /// The instance is in no context.
  public static let missingModelContext = SwiftDataError(.missingModelContext)
  /// The store is newer than the plan's newest version.
  public static let backwardMigration = SwiftDataError(.backwardMigration)
  /// The class is not in the schema, or the schema is not sound.
  public static let unknownSchema = SwiftDataError(.unknownSchema)
  /// The migration plan holds a step this version cannot take; the message names it.
  public static let unsupportedMigration = SwiftDataError(.unsupportedMigration)
  /// The history token is older than the history that is kept.
  public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
  /// The history fetch cannot be answered.
  public static let invalidTransactionFetchRequest = SwiftDataError(
    .invalidTransactionFetchRequest)
  /// The store's schema differs from the container's in ways that need a migration.
  public static let unknownDataStoreSchema = SwiftDataError(.unknownDataStoreSchema)
  /// The store failed while reading or writing; ``underlying`` says why.
  public static let storeFailure = SwiftDataError(.storeFailure)

  /// Lets `catch SwiftDataError.unsupportedPredicate` match by code.
  public static func ~= (lhs: SwiftDataError, rhs: any Error) -> Bool {
    (rhs as? SwiftDataError) == lhs
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension SwiftDataError: Hashable, CustomStringConvertible {
  public static func == (lhs: SwiftDataError, rhs: SwiftDataError) -> Bool {
    lhs.code == rhs.code
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  public var description: String {
    message.isEmpty ? code.rawValue : "\(message) [\(code.rawValue)]"
  }
}
