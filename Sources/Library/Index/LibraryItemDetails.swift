public import Picture

/// What has been found out of an entry so far. A value; any thread.
public struct LibraryItemDetails: Sendable {
    /// How far the search for a poster has come.
    public enum Poster: Sendable {
        /// Not made yet, or dropped to save memory while it was out of sight.
        case unknown
        /// There is no picture in it, or none that can be decoded.
        case absent
        case ready(Bitmap)
    }

    /// Nil where it was not looked at yet, or could not be opened.
    public var summary: MediaSummary?
    /// Why it could not be opened, in words.
    public var failure: String?
    /// The poster, as far as it has been looked for.
    public var poster: Poster = .unknown

    public init() {}

    /// Whether nothing remains to be found out of what is in the file.
    var isProbed: Bool { summary != nil || failure != nil }
}
