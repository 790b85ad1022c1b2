public import SwiftData

/// An airport, with the flights that leave and reach it.
@Model
public final class Airport {
  /// The four letters of the ICAO code.
  @Attribute(.unique) public var icao: String
  /// What it is called.
  public var name: String
  /// The city it serves.
  public var city: String
  /// The state or region; empty where there is none.
  public var state: String
  /// Two letters of the country.
  public var countryCode: String
  /// Degrees north.
  public var latitude: Double
  /// Degrees east.
  public var longitude: Double
  /// The time zone's identifier.
  public var timezone: String
  /// Flights that leave here.
  @Relationship(inverse: \Flight.origin) public var flightsFrom: [Flight] = []
  /// Flights that arrive here.
  @Relationship(inverse: \Flight.destination) public var flightsTo: [Flight] = []

  /// An airport known by its code; the rest may come later.
  public init(
    icao: String, name: String = "", city: String = "", state: String = "",
    countryCode: String = "", latitude: Double = 0, longitude: Double = 0, timezone: String = ""
  ) {
    self.icao = icao
    self.name = name
    self.city = city
    self.state = state
    self.countryCode = countryCode
    self.latitude = latitude
    self.longitude = longitude
    self.timezone = timezone
  }
}
