/// The version of this software, as `roost --version` and a server's statistics tell it.
public enum RoostVersion {
  /// Major and minor.
  public static let current = "0.1"
}
