extension UInt8 {
  /// 0 to 9.
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// What a name may begin with: a letter, an underscore, anything beyond ASCII.
  var isNameLetter: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_") || self >= 0x80
  }
}
