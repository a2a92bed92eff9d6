public import Foundation

/// The checkout that the tests were built from.
public enum Repository {
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The path of a file or folder of it.
    public static func path(_ relative: String) -> String { root.appending(path: relative).path }
}
