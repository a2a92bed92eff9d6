import GlissadeControls
import GlissadeLayers
import GlissadeLibrary
import GlissadePlatform
import GlissadeTime

/// Creates and fills the rows and cards of a library page's list. Main thread.
@MainActor final class LibraryRowSource: ListSource {
    let rows: LibraryRows
    let posters: PosterTextures
    private let video: InlineVideo
    /// The file that is playing and counts as played by the user; nil if there is none. Its row is marked as playing.
    var playing: BytePath?
    /// The maximum width of a row's contents, in points. Does not apply to cards.
    var rowWidth = Theme.readableWidth
    /// Called when the user opens an item of the folder.
    var onOpen: (@MainActor (LibraryItem, HostTime) -> Void)?
    /// Called when the user opens a recent file.
    var onOpenRecent: (@MainActor (RecentFilm, HostTime) -> Void)?

    init(_ rows: LibraryRows, posters: PosterTextures, video: InlineVideo) {
        self.rows = rows
        self.posters = posters
        self.video = video
    }

    var rowCount: Int { rows.count }

    func makeRow() -> ListRow { LibraryRow() }
    func makeRow(at index: Int) -> ListRow { rows.isCard(index) ? LibraryCard() : LibraryRow() }
    func canShow(_ index: Int, in row: ListRow) -> Bool { (row is LibraryCard) == rows.isCard(index) }

    func configure(_ row: ListRow, at index: Int) {
        guard let row = row as? InlineVideoRow else { return }
        (row as? LibraryRow)?.contentWidth = rowWidth
        if let film = rows.recentFile(at: index) {
            configure(row, film, isLast: index == rows.recent.count - 1)
        } else if let item = rows.item(at: index) {
            configure(row, item, canPlay: rows.inlineItem(at: index) != nil)
        }
    }

    func activate(_ index: Int, now: HostTime) {
        if let film = rows.recentFile(at: index) {
            onOpenRecent?(film, now)
        } else if let item = rows.item(at: index) {
            onOpen?(item, now)
        }
    }

    /// Shows an item of the folder in a row or card.
    ///
    /// - Parameter canPlay: Whether the item's video can play in place.
    private func configure(_ row: InlineVideoRow, _ item: LibraryItem, canPlay: Bool) {
        let details = rows.details(of: item.id)
        let poster = posters.image(of: item, details)
        row.show(
            InlineVideoRow.Content(
                id: canPlay ? item.id : nil, name: item.displayName, detail: item.detail(details),
                icon: item.icon(details), poster: poster?.image, posterSize: poster?.size ?? .zero,
                isFolder: item.kind == .folder, isPlaying: item.path == playing,
                played: rows.playedFraction(of: item)))
        guard canPlay else { return }
        row.setMarked(video.playback.marked == item.id)
        row.setDimmed(video.placeholder == item.id)
    }

    /// Shows a recent file in a row.
    ///
    /// - Parameter isLast: Whether this is the last recent file. A line separates it from the folder's items below.
    private func configure(_ row: InlineVideoRow, _ film: RecentFilm, isLast: Bool) {
        let path = BytePath(location: film.location)
        let item = rows.row(of: path).flatMap { rows.item(at: $0) } ?? film.item
        let poster = item.flatMap { posters.image(of: $0, rows.details(of: $0.id)) }
        row.show(
            InlineVideoRow.Content(
                name: film.title, detail: film.detail, icon: .film, poster: poster?.image,
                posterSize: poster?.size ?? .zero, isPlaying: path == playing, played: film.fraction,
                hasLine: isLast))
    }
}
