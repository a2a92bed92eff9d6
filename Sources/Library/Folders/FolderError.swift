package import GlissadePlatform

/// The error thrown when a folder cannot be read.
package struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder that could not be read.
    package var folder: BytePath
    /// The reason, usually a system error message, such as "no such file or directory".
    package var reason: String

    package init(folder: BytePath, reason: String) {
        self.folder = folder
        self.reason = reason
    }

    package var description: String { "\(folder.displayPath): \(reason)" }
}
