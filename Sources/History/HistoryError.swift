package import GlissadePlatform

/// A problem with the history's file. Playback is not affected.
package struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong with the file.
    package enum Kind: Hashable, Sendable {
        /// There is no file: neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
        case noHome
        /// The file cannot be opened or written. If the problem may be temporary, the file is tried again later.
        case unavailable(reason: String)
        /// A newer version of Glissade wrote the file. The file is left unchanged.
        case newer
        /// The file was not a history, or was corrupt. The old file was moved aside and replaced.
        case damaged(reason: String, movedTo: BytePath)
    }

    /// The path of the history's file; nil for `noHome`.
    package var path: BytePath?
    /// What went wrong.
    package var kind: Kind

    /// The problem as a one-line message for the terminal.
    package var description: String {
        let place = path?.displayPath ?? "history"
        switch kind {
        case .noHome: return "\(place): neither XDG_STATE_HOME nor HOME is set"
        case .unavailable(let reason):
            return "\(place): \(DisplaySafeText.text(reason)); playback history is not saved"
        case .newer: return "\(place): written by a newer version of Glissade; playback history is not saved"
        case .damaged(let reason, let moved):
            return "\(place): damaged (\(DisplaySafeText.text(reason))); moved to \(moved.displayName) and replaced"
        }
    }
}
