import GlissadeGeometry
import GlissadePlatform

/// A background thread's result for a folder or one of its items.
enum LibraryReport: Sendable {
    case entries([LibraryItem])
    case failed(FolderError)
    /// The result of summarizing a media file. The item identifies the file's version.
    case probed(LibraryItem, MediaProbe.Answer)
    case poster(LibraryItem, PosterMaker.Answer, limit: PixelSize)

    /// Whether this report makes `other` obsolete. For the folder and for each item, only the latest report of each
    /// kind counts.
    func replaces(_ other: LibraryReport) -> Bool {
        switch (self, other) {
        case (.entries, .entries), (.failed, .failed): true
        case (.probed(let entry, _), .probed(let old, _)), (.poster(let entry, _, _), .poster(let old, _, _)):
            entry.id == old.id
        default: false
        }
    }
}

extension Mailbox<LibraryReport> {
    /// Adds a report, and removes the waiting reports that the new one makes obsolete.
    func report(_ report: LibraryReport) { put(report) { report.replaces($0) } }
}
