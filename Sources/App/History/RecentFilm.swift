import GlissadeHistory
import GlissadeLibrary
import GlissadePlatform
import GlissadeTime

/// A file or URL that was played before, with its last position.
struct RecentFilm: Hashable, Sendable {
    /// The path or URL.
    var location: String
    /// The file's name, as the folder lists it; the title for a URL.
    var title: String
    var position: Duration
    var length: Duration?
    var isFinished: Bool
    /// The file as an item of its folder; nil for a URL.
    var item: LibraryItem?

    /// Blocks, so it must not be called on the main thread.
    init(_ entry: HistoryEntry) {
        location = BytePath(bytes: entry.media.location).location
        position = entry.position - .zero
        length = entry.duration
        isFinished = entry.isFinished
        item = entry.media.byteCount == nil ? nil : LibraryItem(file: BytePath(bytes: entry.media.location))
        title = item?.displayName ?? entry.title
    }

    /// The played fraction of the file's length, 0…1; nil if the length is unknown. A finished file of known length has
    /// the fraction 1.
    var fraction: Double? {
        guard let length, length > .zero else { return nil }
        return isFinished ? 1 : min(max(0, Double(position.nanoseconds) / Double(length.nanoseconds)), 1)
    }

    /// The detail text of a row: "Recently played", followed by the position and length of an unfinished file of
    /// known length.
    var detail: String {
        let left =
            isFinished
            ? nil : length.map { "\(MediaFormatter.position(position, of: $0)) of \(MediaFormatter.length($0))" }
        return ["Recently played", left].compactMap { $0 }.joined(separator: "  ·  ")
    }
}
