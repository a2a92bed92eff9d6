public import Picture

/// The details of a library item that are known so far. A value; any thread.
public struct LibraryItemDetails: Sendable {
    /// The state of the search for a poster.
    public enum Poster: Sendable {
        /// Not made yet, or dropped to save memory while not visible.
        case unknown
        /// The file has no picture, or none that can be decoded.
        case absent
        case ready(Bitmap)
    }

    /// Nil if the file was not opened yet, or cannot be.
    public var summary: MediaSummary?
    /// The reason why the file cannot be opened.
    public var failure: String?
    /// The poster, or the state of the search for it.
    public var poster: Poster = .unknown

    public init() {}

    /// Whether opening the file has completed.
    var isProbed: Bool { summary != nil || failure != nil }
}
