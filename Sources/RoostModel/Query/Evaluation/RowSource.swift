/// Where the evaluator finds the rows it asks about: pending objects, a cache, a test's table.
package protocol RowSource {
  associatedtype Row

  /// A column's value; property 0 is the row's identifier as an integer, a to-one its reference.
  func value(of property: PropertyID, in row: Row) throws(StoreError) -> Value

  /// What names this row.
  func reference(of row: Row) -> RowReference

  /// The row a to-one leads to; nil if it is gone.
  func row(_ reference: RowReference) throws(StoreError) -> Row?

  /// The rows of a to-many relationship.
  func related(_ property: PropertyID, of row: Row) throws(StoreError) -> [Row]
}
