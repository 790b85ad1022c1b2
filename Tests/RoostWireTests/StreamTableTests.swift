import Testing

@testable import RoostWire

@Suite struct StreamTableTests {
  @Test(arguments: seeds) func behavesLikeADictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = StreamTable()
    var model: [UInt32: Int] = [:]
    for step in 0..<20_000 {
      let id = UInt32(1 + random.below(400))
      if let index = table.find(id) {
        #expect(model[id] == table[index].sendCredit)
        if random.isTrue() {
          table.remove(at: index)
          model[id] = nil
        }
      } else {
        #expect(model[id] == nil)
        table.insert(StreamEntry(id: id, flags: [], sendCredit: step, receiveCredit: 0))
        model[id] = step
      }
    }
    #expect(table.count == model.count)
    #expect(table.ids == model.keys.sorted())
    #expect(table.lowest == model.keys.min())
  }
}
