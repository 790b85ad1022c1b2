import RoostModel
import RoostSQLite

/// What makes a SQLite file a store of ours, and its tables that are not entities.
enum StoreFormat {
  /// "Rst1" as SQLite's application_id.
  static let applicationID: Int64 = 0x5273_7431
  /// Grows when an older program could no longer read a file.
  static let version: Int64 = 1

  static let tables = """
    CREATE TABLE "_roost"(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE "_roost_entities"(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
      table_name TEXT NOT NULL);
    CREATE TABLE "_roost_properties"(entity INTEGER NOT NULL, id INTEGER NOT NULL,
      position INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, type INTEGER,
      optional INTEGER NOT NULL, default_value BLOB, original_name TEXT, destination TEXT,
      inverse TEXT, delete_rule INTEGER, stored_name TEXT,
      PRIMARY KEY(entity, id)) WITHOUT ROWID;
    CREATE TABLE "_roost_keys"(entity INTEGER NOT NULL, position INTEGER NOT NULL,
      is_unique INTEGER NOT NULL, properties TEXT NOT NULL, index_name TEXT NOT NULL UNIQUE,
      PRIMARY KEY(entity, is_unique, position)) WITHOUT ROWID;
    CREATE TABLE "_imports"(id BLOB PRIMARY KEY, next INTEGER NOT NULL, entity INTEGER NOT NULL,
      touched INTEGER NOT NULL) WITHOUT ROWID;
    \(chunkReports)
    """

  /// Added to the stores that were made before it: an older program passes over it.
  private static let chunkReports = """
    CREATE TABLE IF NOT EXISTS "_import_chunks"(import BLOB NOT NULL, slot INTEGER NOT NULL,
      number INTEGER NOT NULL, accepted INTEGER NOT NULL, rejected INTEGER NOT NULL, errors BLOB,
      PRIMARY KEY(import, slot)) WITHOUT ROWID;
    """

  static func rowsKey(_ entity: EntityID) -> String { "entity \(entity) rows" }
  static func nextRowKey(_ entity: EntityID) -> String { "entity \(entity) next row" }

  /// Makes the tables in a new file, or checks that an old one can be read.
  static func prepare(_ connection: Connection, path: String) throws(StoreError) {
    let application = try sqlite { () throws(SQLiteError) in
      try connection.integer("PRAGMA application_id") ?? 0
    }
    if application == applicationID {
      try checkVersion(connection, path: path)
      try sqlite { () throws(SQLiteError) in try connection.execute(chunkReports) }
      return
    }
    let objects = try sqlite { () throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    }
    guard application == 0, objects == 0 else {
      throw StoreError(
        .failedPrecondition, .none, "\(path) is a database, but not a store of Roost's")
    }
    try sqlite { () throws(SQLiteError) in try create(connection) }
  }

  private static func create(_ connection: Connection) throws(SQLiteError) {
    try connection.execute("BEGIN IMMEDIATE; \(tables)")
    for (key, value) in [
      ("format", version), ("commit", 0), ("schema version", 0), ("next entity", 1),
    ] {
      let statement = try connection.take(#"INSERT INTO "_roost"(key, value) VALUES(?, ?)"#)
      try statement.bind(1, key)
      statement.bind(2, value)
      try statement.run()
      connection.giveBack(statement)
    }
    try connection.execute(
      """
      INSERT INTO "_roost"(key, value) VALUES('store', lower(hex(randomblob(16))));
      PRAGMA application_id=\(applicationID);
      COMMIT;
      """)
  }

  private static func checkVersion(
    _ connection: Connection, path: String
  ) throws(StoreError) {
    let found = try sqlite { () throws(SQLiteError) in
      try connection.integer(#"SELECT value FROM "_roost" WHERE key = 'format'"#) ?? 0
    }
    guard found <= version else {
      throw StoreError(
        .failedPrecondition, .schemaChanged,
        "\(path) has format \(found), made by a newer program; this one reads up to \(version)")
    }
    guard found > 0 else {
      throw StoreError(.dataLoss, .corrupt, "\(path) says no format version")
    }
  }
}
