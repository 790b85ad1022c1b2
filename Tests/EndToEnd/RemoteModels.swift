import Foundation
import Roost

@Model
final class Harbor {
  @Attribute(.unique) var code: String
  var name: String
  @Relationship(deleteRule: .cascade) var berths: [Berth] = []
  var ships: [Ship] = []

  init(code: String, name: String) {
    self.code = code
    self.name = name
  }
}

@Model
final class Berth {
  var number: Int
  var harbor: Harbor?

  init(number: Int, harbor: Harbor? = nil) {
    self.number = number
    self.harbor = harbor
  }
}

@Model
final class Ship {
  @Attribute(.unique) var callSign: String
  var name: String
  var tons: Double = 0
  var launched: Date?
  var flags: [String] = []
  var home: Harbor?
  var crew: [Sailor] = []

  init(callSign: String, name: String, tons: Double = 0, home: Harbor? = nil) {
    self.callSign = callSign
    self.name = name
    self.tons = tons
    self.home = home
  }
}

@Model
final class Sailor {
  var name: String
  var served: [Ship] = []

  init(name: String) { self.name = name }
}
