public import GlissadePlatform

/// The error thrown when a folder cannot be read.
public struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder that could not be read.
    public var folder: BytePath
    /// The reason, usually a system error message, such as "no such file or directory".
    public var reason: String

    public init(folder: BytePath, reason: String) {
        self.folder = folder
        self.reason = reason
    }

    public var description: String { "\(folder.displayPath): \(reason)" }
}
