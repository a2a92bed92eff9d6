package import GlissadePicture

/// The summary and poster of a library item, if known.
package struct LibraryItemDetails: Sendable {
    /// A poster, or why there is none.
    package enum Poster: Sendable {
        /// The poster has not been made yet, or was dropped to save memory while out of view.
        case unknown
        /// No poster could be made: the file cannot be opened or has no picture, or decoding failed or took too long.
        case absent
        case ready(Bitmap)
    }

    /// The summary of the file; nil if the file has not been opened yet or cannot be summarized.
    package var summary: MediaSummary?
    /// The reason why the file cannot be summarized; nil if it was summarized or has not been opened yet.
    package var failure: String?
    /// The poster, or why there is none.
    package var poster: Poster = .unknown

    package init() {}

    /// Whether an attempt to summarize the file has completed, successfully or not.
    var isProbed: Bool { summary != nil || failure != nil }
}
