import RoostLoad

@main
enum Main {
  static func main() async { await LoadProgram.main() }
}
