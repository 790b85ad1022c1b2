@main
enum RoostLoad {
  static func main() async {
    print("roost-load")
  }
}
