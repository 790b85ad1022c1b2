public import Foundation

/// A page of flights as FlightAware gives them, in the order of its four lists.
public struct FlightFeed: Decodable, Sendable {
  /// All flights of the page.
  public let flights: [FlightRecord]

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case arrivals
    case departures
    case scheduledArrivals
    case scheduledDepartures
  }

  /// Reads whichever of the four lists are there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var flights: [FlightRecord] = []
    for key in CodingKeys.allCases {
      flights += try container.decodeIfPresent([FlightRecord].self, forKey: key) ?? []
    }
    self.flights = flights
  }

  /// Reads a page.
  public static func decode(_ data: Data) throws -> FlightFeed {
    try EnrouteFeed.decoder.decode(FlightFeed.self, from: data)
  }
}

/// One flight of the feed.
public struct FlightRecord: Decodable, Sendable {
  /// A place by its code.
  public struct Place: Decodable, Sendable {
    /// The ICAO code.
    public let code: String
  }

  let ident: String
  let `operator`: String?
  let origin: Place?
  let destination: Place?
  let scheduledOff: Date
  let estimatedOff: Date?
  let actualOff: Date?
  let scheduledOn: Date
  let estimatedOn: Date?
  let actualOn: Date?
  let progressPercent: Int?
  let status: String?
  let aircraftType: String?
  let routeDistance: Int?
  let filedAirspeed: Int?
  let filedAltitude: Int?
}

/// One airport of the feed.
public struct AirportRecord: Decodable, Sendable {
  let airportCode: String
  let name: String
  let city: String
  let state: String?
  let countryCode: String
  let latitude: Double
  let longitude: Double
  let timezone: String
}

/// One airline of the feed.
public struct AirlineRecord: Decodable, Sendable {
  let icao: String
  let name: String
  let shortname: String?
}

/// How the feed spells things.
public enum EnrouteFeed {
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  /// Reads a list of airports.
  public static func airports(_ data: Data) throws -> [AirportRecord] {
    try decoder.decode([AirportRecord].self, from: data)
  }

  /// Reads a list of airlines.
  public static func airlines(_ data: Data) throws -> [AirlineRecord] {
    try decoder.decode([AirlineRecord].self, from: data)
  }
}
