package import RoostModel

/// The body of SchemaRegister: `[schema, mode]`.
package struct SchemaRegisterRequest: Hashable, Sendable {
  package var schema: StoreSchema
  package var mode: SchemaMode

  package init(schema: StoreSchema, mode: SchemaMode) {
    self.schema = schema
    self.mode = mode
  }

  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 2)
    schema.encode(into: &writer)
    writer.int(Int64(mode.rawValue))
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a register", min: 2, max: 2)
    schema = try list.nested("schema") { r throws(MessageError) in try StoreSchema(from: &r) }
    mode = try list.next("mode") { r throws(PackedError) in try r.raw(SchemaMode.self) }
    try list.end().messageEnd()
  }
}

/// Its answer: `[schema, [difference…]]`.
extension SchemaRegistration {
  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 2)
    schema.encode(into: &writer)
    writer.list(count: differences.count)
    for line in differences { writer.text(line) }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a registration", min: 2, max: 2)
    let schema = try list.nested("schema") { r throws(MessageError) in
      try StoreSchema(from: &r)
    }
    let differences = try list.list("differences") { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.textValue() }
    }
    try list.end().messageEnd()
    self.init(schema: schema, differences: differences)
  }
}

/// The answer of Describe: `[schema, [[id, name, shape]…], limits]`. The request's body is empty.
package struct Description: Hashable, Sendable {
  package var schema: StoreSchema
  package var methods: [MethodEntry]
  /// By name, keys ascending.
  package var limits: [MapEntry]

  package init(
    schema: StoreSchema, methods: [MethodEntry] = WireMethod.allCases.map(MethodEntry.init),
    limits: [MapEntry]
  ) {
    self.schema = schema
    self.methods = methods
    self.limits = limits
  }

  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 3)
    schema.encode(into: &writer)
    writer.value(.list(methods.map(\.value)))
    writer.value(.map(limits))
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a description", min: 3, max: 3)
    schema = try list.nested("schema") { r throws(MessageError) in try StoreSchema(from: &r) }
    methods = try MethodEntry.list(
      try list.next("methods") { r throws(PackedError) in try r.value() })
    limits = try list.next("limits") { r throws(PackedError) in
      let start = r.offset
      guard case .map(let entries) = try r.value() else {
        throw .unexpectedValue(expected: "a map", at: start)
      }
      return entries
    }
    try list.end().messageEnd()
  }
}

/// The answer of Health: `[serving, token, uptime in ms, store]`. The request's body is empty.
package struct Health: Hashable, Sendable {
  package var isServing: Bool
  /// The number of the last commit.
  package var token: UInt64
  package var uptimeMilliseconds: Int64
  package var store: String

  package init(isServing: Bool, token: UInt64, uptimeMilliseconds: Int64, store: String) {
    self.isServing = isServing
    self.token = token
    self.uptimeMilliseconds = uptimeMilliseconds
    self.store = store
  }

  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 4)
    writer.bool(isServing)
    writer.bits(token)
    writer.int(uptimeMilliseconds)
    writer.text(store)
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "health", min: 4, max: 4)
    isServing = try list.next("serving") { r throws(PackedError) in try r.boolValue() }
    token = try list.next("token") { r throws(PackedError) in try r.bits() }
    uptimeMilliseconds = try list.next("uptime") { r throws(PackedError) in try r.intValue() }
    store = try list.next("store") { r throws(PackedError) in try r.textValue() }
    try list.end().messageEnd()
  }
}
