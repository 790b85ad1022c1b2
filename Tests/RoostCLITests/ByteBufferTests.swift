import Testing

@testable import RoostCLI

@Suite struct ByteBufferTests {
  @Test func `It grows to what is appended and starts again empty`() {
    var buffer = ByteBuffer(reserving: 1)
    let part = (0..<100).map { UInt8($0) }
    for _ in 0..<1_000 { buffer.append(part) }
    buffer.append("é")
    buffer.append(7)
    #expect(buffer.bytes == Array((0..<1_000).map { _ in part }.joined()) + [0xC3, 0xA9, 7])
    buffer.removeAll()
    #expect(buffer.count == 0)
    #expect(buffer.bytes.isEmpty)
  }
}
