import Controls
import Geometry
import Gestures
import Layers
import Library
import Media
import Rendering
import Time

// The rows of the library: what was played last, and the folder's entries.

extension LibraryPage {
    var recentCount: Int { recent.count }

    /// The folder's own entry that a row shows; nil where it shows none.
    func entry(at row: Int) -> LibraryItem? {
        guard let index, index.entries.indices.contains(row - recent.count) else { return nil }
        return index.entries[row - recent.count]
    }

    /// The row of what was played last.
    func recentRow(of location: String) -> Int? { recent.firstIndex { $0.location == location } }
    func details(of id: LibraryItem.ID) -> LibraryItemDetails? { index?.details(of: id) }
    func poster(of entry: LibraryItem) -> (image: ImageID, size: Size)? {
        posters.image(of: entry, details(of: entry.id))
    }
    func playedFraction(of entry: LibraryItem) -> Double? { playedFractions[entry.path.location] }
}

extension LibraryPage: ListSource {
    var rowCount: Int { recent.count + (index?.entries.count ?? 0) }

    func makeRow() -> ListRow { LibraryRow() }
    func makeRow(at index: Int) -> ListRow { index < rowsAboveCards ? LibraryRow() : LibraryCard() }
    func canShow(_ index: Int, in row: ListRow) -> Bool { (row is LibraryCard) == (index >= rowsAboveCards) }

    func configure(_ row: ListRow, at position: Int) {
        if let card = row as? LibraryCard, let entry = entry(at: position) { return configure(card, entry) }
        (row as? LibraryRow)?.contentWidth = rowWidth
        guard let row = row as? LibraryRow else { return }
        if recent.indices.contains(position) {
            return configure(row, recent[position], isLast: position == recent.count - 1)
        }
        guard let index, index.entries.indices.contains(position - recent.count) else { return }
        let entry = index.entries[position - recent.count]
        let details = index.details(of: entry.id)
        let poster = posters.image(of: entry, details)
        row.show(
            LibraryRow.Content(
                name: entry.displayName, detail: Self.detail(of: entry, details), icon: Self.icon(of: entry, details),
                poster: poster?.image, posterSize: poster?.size ?? .zero, isFolder: entry.kind == .folder,
                isPlaying: entry.path == playing,
                played: playedFractions[entry.path.location]))
    }

    private func configure(_ row: LibraryRow, _ film: RecentFilm, isLast: Bool) {
        let path = FilePath(location: film.location)
        let entry = index?.position(of: path).flatMap { index?.entries[$0] }
        let poster = entry.flatMap { posters.image(of: $0, index?.details(of: $0.id)) }
        row.show(
            LibraryRow.Content(
                name: film.title, detail: film.detail, icon: .film, poster: poster?.image,
                posterSize: poster?.size ?? .zero, isFolder: false, isPlaying: path == playing, played: film.fraction,
                hasLine: isLast))
    }

    func activate(_ position: Int, now: HostTime) {
        if recent.indices.contains(position) { return onOpenRecent?(recent[position], now) ?? () }
        guard let index, index.entries.indices.contains(position - recent.count) else { return }
        onOpen?(index.entries[position - recent.count], now)
    }

    /// The folder's media, as they are played one after the other, from `path` on; nil where it is not among them.
    func playlist(from path: FilePath) -> Playlist? {
        let media = (index?.entries ?? []).filter { $0.kind != .folder }
        guard let start = media.firstIndex(where: { $0.path == path }) else { return nil }
        return Playlist(media.map(\.path.location), at: start)
    }

    static func detail(of entry: LibraryItem, _ details: LibraryItemDetails?) -> String {
        if entry.kind == .folder { return "Folder" }
        var parts: [String] = []
        if let failure = details?.failure {
            parts.append(failure)
        } else {
            if let duration = details?.summary?.duration { parts.append(MediaFormatter.length(duration)) }
            if let size = details?.summary?.displaySize, details?.summary?.hasVideo == true {
                parts.append("\(Int(size.width))×\(Int(size.height))")
            }
        }
        parts.append(MediaFormatter.size(entry.byteCount))
        return parts.joined(separator: "  ·  ")
    }

    static func icon(of entry: LibraryItem, _ details: LibraryItemDetails?) -> Icon {
        if details?.failure != nil { return .broken }
        return switch entry.kind {
        case .folder: .folder
        case .audio: .music
        case .image: .picture
        case .video: .film
        }
    }
}
