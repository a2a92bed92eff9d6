public import Picture

/// What is known about a library item so far. A value; any thread.
public struct LibraryItemDetails: Sendable {
    /// How far the search for a poster has come.
    public enum Poster: Sendable {
        /// Not made yet, or dropped to save memory while not visible.
        case unknown
        /// The file has no picture, or none that can be decoded.
        case absent
        case ready(Bitmap)
    }

    /// Nil if the file was not opened yet, or cannot be.
    public var summary: MediaSummary?
    /// Why the file cannot be opened, in words.
    public var failure: String?
    /// The poster, as far as it has been looked for.
    public var poster: Poster = .unknown

    public init() {}

    /// Whether opening the file has completed.
    var isProbed: Bool { summary != nil || failure != nil }
}
