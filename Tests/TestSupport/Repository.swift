package import Foundation

/// The checkout that the tests were built from.
package enum Repository {
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The path of a file or folder of it.
    package static func path(_ relative: String) -> String { root.appending(path: relative).path }
}
