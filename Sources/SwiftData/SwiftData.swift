// `import SwiftData` gives what it gives on Apple's systems: the framework and Foundation.
@_exported import Foundation
@_exported import Roost
