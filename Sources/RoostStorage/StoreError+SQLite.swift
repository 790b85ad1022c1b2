import RoostModel
import RoostSQLite

extension StoreError {
  /// What an error of SQLite means to whoever asked.
  init(_ error: SQLiteError) {
    let cause = error.description
    if error.isInterrupt {
      self.init(.cancelled, .none, "the statement was interrupted", cause: cause)
    } else if error.isFull {
      self.init(.resourceExhausted, .diskFull, "the disk is full", cause: cause)
    } else if error.isCorrupt {
      self.init(.dataLoss, .corrupt, "the store's file is damaged", cause: cause)
    } else if error.isBusy {
      self.init(.unavailable, .overloaded, "the store's file is locked", cause: cause)
    } else if error.isTooBig {
      self.init(.invalidArgument, .badValue, "a value or statement is too large", cause: cause)
    } else if error.isInputOutput {
      self.init(.internal, .invariant, "the store's file cannot be read or written", cause: cause)
    } else {
      self.init(.internal, .invariant, "the store's engine failed", cause: cause)
    }
  }
}

/// Runs calls to SQLite and says their errors in the store's words.
@inline(__always)
func sqlite<Result>(
  _ body: () throws(SQLiteError) -> Result
) throws(StoreError) -> Result {
  do {
    return try body()
  } catch {
    throw StoreError(error)
  }
}
