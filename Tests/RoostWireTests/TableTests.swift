import Foundation
import RoostModel
import RoostWire
import Testing

/// The tables of `Protocol/` say what the code says.
@Suite struct TableTests {
  @Test func methodsAreThoseOfTheCode() {
    let rows = ProtocolFiles.rows("methods.tsv").map { [$0[0], $0[1], $0[2], $0[5]] }
    let code = WireMethod.allCases.map {
      ["\($0.rawValue)", $0.name, $0.shape.name, $0.isSafeToRepeat ? "yes" : "no"]
    }
    #expect(rows == code)
  }

  @Test func statusesAreThoseOfTheCode() throws {
    let rows = ProtocolFiles.rows("status.tsv")
    #expect(Set(rows.map { $0[0] }) == Set(StatusCode.allCases.map { "\($0.rawValue)" }))
    for row in rows {
      let status = try #require(UInt8(row[0]).flatMap(StatusCode.init(rawValue:)))
      #expect("\(status)" == row[1])
    }
    let source = ProtocolFiles.text("Sources/RoostModel/Store/StatusCode.swift")
    let details = source.matches(of: /static let (\w+) = StatusDetail\((\d+)\)/).map {
      "\($0.2) \($0.1)"
    }
    #expect(details.count > 40)
    #expect(Set(details) == Set(rows.map { "\($0[2]) \($0[3])" }))
  }

  @Test func limitsAreThoseOfTheCode() {
    var code: Set<String> = []
    for child in Mirror(reflecting: WireLimits()).children {
      guard let label = child.label else { continue }
      code.insert("\(label) \(child.value)")
    }
    for path in ["Sources/RoostWire/WireLimits.swift", "Sources/RoostModel/Limits.swift"] {
      let source = ProtocolFiles.text(path)
      for match in source.matches(of: /static let (\w+)(?:: \w+)? = ([0-9A-Fa-fx_]+)( << (\d+))?/) {
        // How long a query's text may be is the text form's affair.
        if match.1.hasPrefix("queryText") { continue }
        let digits = match.2.replacingOccurrences(of: "_", with: "")
        let base =
          digits.hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
        let shift = match.4.flatMap { Int($0) } ?? 0
        code.insert("\(match.1) \((base ?? -1) << shift)")
      }
    }
    #expect(code.count > 40)
    #expect(Set(ProtocolFiles.rows("limits.tsv").map { "\($0[0]) \($0[1])" }) == code)
  }

  @Test func everyTagOfExpressionsIsInTheSpecification() {
    let spec = ProtocolFiles.text("Protocol/SPEC.md")
    for word in [
      "`[0, scope, property…]`", "`[15, path, filter?]`", "`10 | varint entity",
      "`16 | varint entity",
    ] {
      #expect(spec.contains(word), "SPEC.md lacks \(word)")
    }
  }
}
