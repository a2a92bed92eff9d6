public import Platform

/// The reason why no history is kept. Playback is not affected. A value; any thread.
public struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// Neither `XDG_STATE_HOME` nor `HOME` is set.
        case noHome
        /// The file cannot be opened or written. Some such failures are retried later.
        case unavailable(reason: String)
        /// A newer version of Glissade wrote the file. It is left unchanged.
        case newer
        /// The file was not a history, or corrupt. It was moved aside and replaced.
        case damaged(reason: String, movedTo: FilePath)
    }

    /// The history's file; nil for `noHome`.
    public var path: FilePath?
    /// What went wrong.
    public var kind: Kind

    /// One line for the terminal.
    public var description: String {
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
