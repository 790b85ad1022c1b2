public import SwiftData

/// One flight, planned, on its way or landed.
@Model
public final class Flight {
  /// Airline and number.
  @Attribute(.unique) public var ident: String
  /// When it took off; nil before.
  public var actualOff: Date?
  /// When it was to take off.
  public var scheduledOff: Date
  /// When it is expected to take off; the schedule where there is no estimate.
  public var estimatedOff: Date
  /// When it landed; nil before.
  public var actualOn: Date?
  /// When it was to land.
  public var scheduledOn: Date
  /// When it is expected to land; the schedule where there is no estimate.
  public var estimatedOn: Date
  /// The type's code, "Unknown" where the feed has none.
  public var aircraftType: String
  /// How much of the way is done, 0 to 100.
  public var progressPercent: Int
  /// What the feed says about it.
  public var status: String
  /// Miles.
  public var routeDistance: Int
  /// Knots; 0 where the feed has none.
  public var filedAirspeed: Int
  /// Hundreds of feet; 0 where the feed has none.
  public var filedAltitude: Int
  /// Where it starts.
  public var origin: Airport?
  /// Where it goes.
  public var destination: Airport?
  /// Who flies it.
  public var airline: Airline?

  /// A flight known by its ident and schedule.
  public init(
    ident: String, scheduledOff: Date, scheduledOn: Date, origin: Airport? = nil,
    destination: Airport? = nil, airline: Airline? = nil
  ) {
    self.ident = ident
    self.scheduledOff = scheduledOff
    self.estimatedOff = scheduledOff
    self.scheduledOn = scheduledOn
    self.estimatedOn = scheduledOn
    self.aircraftType = "Unknown"
    self.progressPercent = 0
    self.status = ""
    self.routeDistance = 0
    self.filedAirspeed = 0
    self.filedAltitude = 0
    self.origin = origin
    self.destination = destination
    self.airline = airline
  }
}
