public import Foundation

extension Flight {
  /// When it left or will leave.
  public var departure: Date { actualOff ?? estimatedOff }
  /// When it arrived or will arrive.
  public var arrival: Date { actualOn ?? estimatedOn }
  /// Whether it is in the air.
  public var isEnroute: Bool { actualOff != nil && actualOn == nil }
  /// The way.
  public var distance: Measurement<UnitLength> {
    Measurement(value: Double(routeDistance), unit: UnitLength.miles).converted(to: .kilometers)
  }
  /// The planned speed.
  public var speed: Measurement<UnitSpeed> {
    Measurement(value: Double(filedAirspeed), unit: UnitSpeed.knots)
      .converted(to: .kilometersPerHour)
  }
  /// The planned height.
  public var altitude: Measurement<UnitLength> {
    Measurement(value: Double(filedAltitude) * 100, unit: UnitLength.feet).converted(to: .meters)
  }
  /// Time in the air.
  public var duration: TimeInterval { arrival.timeIntervalSince(departure) }
  /// The way by the time; nil where the times make no sense.
  public var averageSpeed: Measurement<UnitSpeed>? {
    guard duration > 0 else { return nil }
    let hours = duration / 3_600
    return Measurement(value: distance.value / hours, unit: UnitSpeed.kilometersPerHour)
  }
}
