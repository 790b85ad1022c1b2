/// xoshiro256**: fast, and the same numbers for the same seed on every machine.
struct RandomSource: RandomNumberGenerator, Sendable {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64

  /// `stream` gives each thread numbers of its own from one seed.
  init(seed: UInt64, stream: UInt64 = 0) {
    var state = seed &+ stream &* 0xD134_2543_DE82_EF95
    // SplitMix64 fills the state; it gives no four zeros in a row, which would be stuck.
    func fill() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
    (a, b, c, d) = (fill(), fill(), fill(), fill())
  }

  mutating func next() -> UInt64 {
    let result = rotate(b &* 5, 7) &* 9
    let shifted = b << 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 45)
    return result
  }

  /// A number below `bound`, each equally likely to within 2⁻⁶⁴ × bound; 0 for bound 0.
  mutating func below(_ bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }

  private func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value << count) | (value >> (64 - count))
  }
}
