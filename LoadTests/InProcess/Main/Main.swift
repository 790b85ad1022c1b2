import RoostBench

@main
enum Main {
  static func main() { BenchProgram.main() }
}
