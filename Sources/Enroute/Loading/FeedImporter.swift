public import SwiftData

/// Puts feed records into a context: finds the object of a key or makes it, and sets its values.
///
/// It remembers what it found, so that a page of flights asks for each airport once.
/// Isolation: the context's.
public struct FeedImporter {
  private let context: ModelContext
  private var airports: [String: Airport] = [:]
  private var airlines: [String: Airline] = [:]

  /// An importer into a context; save the context when done.
  public init(_ context: ModelContext) { self.context = context }

  /// Adds or updates airports.
  public mutating func add(_ records: [AirportRecord]) throws {
    for record in records {
      let airport = try airport(record.airportCode)
      airport.name = record.name
      airport.city = record.city
      airport.state = record.state ?? ""
      airport.countryCode = record.countryCode
      airport.latitude = record.latitude
      airport.longitude = record.longitude
      airport.timezone = record.timezone
    }
  }

  /// Adds or updates airlines.
  public mutating func add(_ records: [AirlineRecord]) throws {
    for record in records {
      let airline = try airline(record.icao)
      airline.name = record.name
      airline.shortName = record.shortname ?? record.name
    }
  }

  /// Adds or updates flights; of two with one ident the later wins.
  public mutating func add(_ records: [FlightRecord]) throws {
    for record in records {
      let flight = Flight(
        ident: record.ident, scheduledOff: record.scheduledOff, scheduledOn: record.scheduledOn,
        origin: try record.origin.map { try airport($0.code) },
        destination: try record.destination.map { try airport($0.code) },
        airline: try record.operator.map { try airline($0) })
      flight.actualOff = record.actualOff
      flight.estimatedOff = record.estimatedOff ?? record.scheduledOff
      flight.actualOn = record.actualOn
      flight.estimatedOn = record.estimatedOn ?? record.scheduledOn
      flight.aircraftType = record.aircraftType ?? "Unknown"
      flight.progressPercent = record.progressPercent ?? 0
      flight.status = record.status ?? ""
      flight.routeDistance = record.routeDistance ?? 0
      flight.filedAirspeed = record.filedAirspeed ?? 0
      flight.filedAltitude = record.filedAltitude ?? 0
      context.insert(flight)
    }
  }

  private mutating func airport(_ icao: String) throws -> Airport {
    if let known = airports[icao] { return known }
    var descriptor = FetchDescriptor<Airport>(predicate: #Predicate { $0.icao == icao })
    descriptor.fetchLimit = 1
    let airport = try context.fetch(descriptor).first ?? Airport(icao: icao)
    context.insert(airport)
    airports[icao] = airport
    return airport
  }

  private mutating func airline(_ code: String) throws -> Airline {
    if let known = airlines[code] { return known }
    var descriptor = FetchDescriptor<Airline>(predicate: #Predicate { $0.code == code })
    descriptor.fetchLimit = 1
    let airline = try context.fetch(descriptor).first ?? Airline(code: code)
    context.insert(airline)
    airlines[code] = airline
    return airline
  }
}
