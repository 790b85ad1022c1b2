public import SwiftData

/// An airline, with its flights.
@Model
public final class Airline {
  /// The three letters of the ICAO code.
  @Attribute(.unique) public var code: String
  /// Its full name.
  public var name: String
  /// What people call it.
  public var shortName: String
  /// Its flights.
  @Relationship(inverse: \Flight.airline) public var flights: [Flight] = []

  /// An airline known by its code; the rest may come later.
  public init(code: String, name: String = "", shortName: String = "") {
    self.code = code
    self.name = name
    self.shortName = shortName
  }
}
