public import Platform

/// Why the history is not kept as it should be. What is played plays on. A value; any thread.
public struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// There is no home to keep it in.
        case noHome
        /// It cannot be opened or written; it may be tried again later.
        case unavailable(reason: String)
        /// A newer Glissade has made it. It is left alone.
        case newer
        /// It was no history, or a broken one; moved aside with its name, and a new one is begun.
        case damaged(reason: String, movedTo: FilePath)
    }

    /// Nil without a home.
    public var path: FilePath?
    public var kind: Kind

    /// One line.
    public var description: String {
        let place = path?.displayPath ?? "history"
        switch kind {
        case .noHome: return "\(place): neither XDG_STATE_HOME nor HOME says where to keep it"
        case .unavailable(let reason):
            return "\(place): \(DisplaySafeText.text(reason)); what is played is not remembered"
        case .newer: return "\(place): made by a newer Glissade; what is played is not remembered"
        case .damaged(let reason, let moved):
            return "\(place): damaged (\(DisplaySafeText.text(reason))); moved to \(moved.displayName), and begun anew"
        }
    }
}
