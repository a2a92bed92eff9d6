public import Picture

/// The summary and poster of a library item, as far as they are known. A value; any thread.
public struct LibraryItemDetails: Sendable {
    /// A poster, or why there is none.
    public enum Poster: Sendable {
        /// The poster is not made yet, or was dropped to save memory while not visible.
        case unknown
        /// No poster can be made: the file cannot be opened or has no picture, or decoding failed or took too long.
        case absent
        case ready(Bitmap)
    }

    /// The summary of the file; nil if it has not been opened yet or cannot be opened.
    public var summary: MediaSummary?
    /// The reason why the file cannot be opened; nil if it can be, or has not been opened yet.
    public var failure: String?
    /// The poster, or why there is none.
    public var poster: Poster = .unknown

    public init() {}

    /// Whether the file has been opened, or an attempt has failed.
    var isProbed: Bool { summary != nil || failure != nil }
}
