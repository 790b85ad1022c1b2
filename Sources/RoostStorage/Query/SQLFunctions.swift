import FoundationEssentials
import RoostModel
import RoostSQLite

/// What queries need beyond SQLite's own functions; they call the rules that the evaluator in
/// memory follows, so that the two cannot disagree.
enum SQLFunctions {
  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.addCollation("roost_decimal") { DecimalText.compare($0, $1) }
    try registerText(connection)
    try registerArithmetic(connection)
    try registerDecimalOrder(connection)
    try registerFunctions(connection)
    try registerCasts(connection)
  }

  // MARK: Names

  /// Negative, 0 or positive; NULL if either is.
  static let decimalOrder = "roost_order_d"

  static func name(_ operation: TextOperator, folded: Bool) -> String {
    let word =
      switch operation {
      case .contains: "contains"
      case .startsWith: "starts"
      case .endsWith: "ends"
      }
    return folded ? "roost_\(word)_folded" : "roost_\(word)"
  }

  static func name(_ operation: ArithmeticOperator, _ domain: ArithmeticDomain) -> String {
    let word =
      switch operation {
      case .add: "add"
      case .subtract: "subtract"
      case .multiply: "multiply"
      case .divide: "divide"
      case .remainder: "remainder"
      }
    return "roost_\(word)_\(letter(domain))"
  }

  private static func letter(_ domain: ArithmeticDomain) -> String {
    switch domain {
    case .integer: "i"
    case .unsigned: "u"
    case .double: "f"
    case .decimal: "d"
    }
  }

  static func name(_ function: QueryFunction, _ type: ExpressionType) -> String {
    let kind: ColumnKind
    if case .attribute(let type) = type { kind = ColumnKind(type) } else { kind = .int }
    return switch function {
    case .fold: "roost_fold"
    case .lowercased: "roost_lower"
    case .uppercased: "roost_upper"
    case .length: "roost_length"
    case .absolute: kind == .decimal ? "roost_absolute_d" : "roost_absolute"
    case .negate: kind == .decimal ? "roost_negate_d" : "roost_negate"
    }
  }

  static func castName(_ source: AttributeType, _ target: AttributeType) -> String {
    "roost_cast_\(source.rawValue)_\(target.rawValue)"
  }

  // MARK: Text

  private static func registerText(_ connection: Connection) throws(SQLiteError) {
    for operation in TextOperator.allCases {
      try connection.addFunction(name(operation, folded: false), arguments: 2) { call in
        if call.isNull(0) || call.isNull(1) { return call.giveNull() }
        call.give(TextRules.holds(operation, call.text(0), call.text(1)))
      }
      // The second argument is folded already.
      try connection.addFunction(name(operation, folded: true), arguments: 2) { call in
        if call.isNull(0) || call.isNull(1) { return call.giveNull() }
        var folded = TextFolding.fold(utf8: call.text(0).bindMemory(to: UInt8.self))
        let part = call.text(1)
        call.give(
          folded.withUTF8 { TextRules.holds(operation, UnsafeRawBufferPointer($0), part) })
      }
    }
  }

  // MARK: Numbers

  private static func registerArithmetic(_ connection: Connection) throws(SQLiteError) {
    for operation in ArithmeticOperator.allCases {
      try connection.addFunction(name(operation, .integer), arguments: 2) { call in
        if call.isNull(0) || call.isNull(1) { return call.giveNull() }
        give(CheckedArithmetic.apply(operation, call.int64(0), call.int64(1)), call)
      }
      try connection.addFunction(name(operation, .unsigned), arguments: 2) { call in
        if call.isNull(0) || call.isNull(1) { return call.giveNull() }
        let lhs = UInt64(bitPattern: call.int64(0))
        let rhs = UInt64(bitPattern: call.int64(1))
        give(CheckedArithmetic.apply(operation, lhs, rhs).map { Int64(bitPattern: $0) }, call)
      }
      try connection.addFunction(name(operation, .double), arguments: 2) { call in
        guard let lhs = number(call, 0), let rhs = number(call, 1),
          let result = CheckedArithmetic.apply(operation, lhs, rhs)
        else { return call.giveNull() }
        call.give(result)
      }
      try connection.addFunction(name(operation, .decimal), arguments: 2) { call in
        if call.isNull(0) || call.isNull(1) { return call.giveNull() }
        let result = CheckedArithmetic.apply(operation, decimal: call.string(0), call.string(1))
        if let result { call.give(result) } else { call.giveNull() }
      }
    }
  }

  private static func registerDecimalOrder(_ connection: Connection) throws(SQLiteError) {
    try connection.addFunction(decimalOrder, arguments: 2) { call in
      if call.isNull(0) || call.isNull(1) { return call.giveNull() }
      call.give(Int64(DecimalText.compare(call.text(0), call.text(1))))
    }
  }

  private static func give(_ value: Int64?, _ call: FunctionCall) {
    if let value { call.give(value) } else { call.giveNull() }
  }

  /// A double, an integer as one, or the blob that stands for NaN.
  private static func number(_ call: FunctionCall, _ index: Int) -> Double? {
    switch call.kind(index) {
    case .null: nil
    case .integer: Double(call.int64(index))
    case .real: call.double(index)
    case .blob, .text: .nan
    }
  }

  // MARK: Functions and casts

  private static func registerFunctions(_ connection: Connection) throws(SQLiteError) {
    for function in QueryFunction.allCases {
      try connection.addFunction(name(function, .null), arguments: 1) { call in
        give(FunctionRules.apply(function, operand(call)), call)
      }
    }
    for function in [QueryFunction.absolute, .negate] {
      try connection.addFunction(name(function, .attribute(.decimal)), arguments: 1) { call in
        if call.isNull(0) { return call.giveNull() }
        give(FunctionRules.apply(function, .decimal(call.string(0))), call)
      }
    }
  }

  private static func registerCasts(_ connection: Connection) throws(SQLiteError) {
    for source in AttributeType.allCases {
      for target in AttributeType.allCases
      where source != target && ValueCast.isPossible(from: source, to: target) {
        try connection.addFunction(castName(source, target), arguments: 1) { call in
          if call.isNull(0) { return call.giveNull() }
          give(ValueCast.apply(stored(call, source), from: source, to: target), call)
        }
      }
    }
  }

  /// An argument by its storage: what functions of numbers and texts take.
  private static func operand(_ call: FunctionCall) -> Value {
    switch call.kind(0) {
    case .null: .null
    case .integer: .int(call.int64(0))
    case .real: .double(call.double(0))
    case .text: .text(call.string(0))
    case .blob: .double(.nan)
    }
  }

  /// An argument by the type of its column.
  private static func stored(_ call: FunctionCall, _ type: AttributeType) -> Value {
    switch type {
    case .bool: .bool(call.int64(0) != 0)
    case .int, .uint64: .int(call.int64(0))
    case .double: .double(number(call, 0) ?? .nan)
    case .date: .date(call.double(0))
    case .decimal: .decimal(call.string(0))
    case .text, .json: .text(call.string(0))
    case .uuid:
      call.text(0).count == 16
        ? .uuid(UUID(uuid: call.text(0).loadUnaligned(as: uuid_t.self))) : .null
    case .data: .null
    }
  }

  private static func give(_ value: Value, _ call: FunctionCall) {
    switch value {
    case .bool(let flag): call.give(flag)
    case .int(let number): call.give(number)
    case .double(let number), .date(let number):
      if number.isNaN { call.give(ValueBinding.notANumber) } else { call.give(number) }
    case .text(let text), .decimal(let text): call.give(text)
    default: call.giveNull()
    }
  }
}
