public import Picture

/// The known details of a library item. A value; any thread.
public struct LibraryItemDetails: Sendable {
    /// A poster, or the reason why there is none.
    public enum Poster: Sendable {
        /// Not made yet, or dropped to save memory while not visible.
        case unknown
        /// No poster can be made: the file has no picture, or decoding failed or took too long.
        case absent
        case ready(Bitmap)
    }

    /// The summary; nil if the file has not been opened yet or cannot be opened.
    public var summary: MediaSummary?
    /// The reason why the file cannot be opened; nil if there is none.
    public var failure: String?
    /// The poster, or the reason why there is none.
    public var poster: Poster = .unknown

    public init() {}

    /// Whether the file has been opened, or an attempt has failed.
    var isProbed: Bool { summary != nil || failure != nil }
}
