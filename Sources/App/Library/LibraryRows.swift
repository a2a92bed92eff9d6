import Library
import Media

/// The rows of a library page: recent files, then the folder's items. Main thread.
@MainActor final class LibraryRows {
    /// The largest number of recent files.
    static let recentLimit = 3

    /// The folder's contents; nil until the page loads them.
    private(set) var index: LibraryIndex?
    /// The recent files above the folder's items, the latest first.
    private(set) var recent: [RecentFilm] = []
    /// How much has been played of each file, by location.
    private var playedFractions: [String: Double] = [:]
    /// Whether items other than folders are cards.
    var hasCards = false
    /// All files that have been played, the latest first.
    private var played: [RecentFilm] = []
    private let showsRecent: Bool
    /// The number of folders, which come first.
    private var folderCount = 0

    /// - Parameter showsRecent: Whether recent files are listed: true on the bottom page.
    init(showsRecent: Bool) { self.showsRecent = showsRecent }

    /// Starts with a folder.
    func begin(with index: LibraryIndex) { self.index = index }

    /// Notes that the folder's items have changed.
    func itemsChanged() { folderCount = items.firstIndex { $0.kind != .folder } ?? items.count }

    /// Takes over the recent files and the played fractions. The current file is left out of the recent ones, as it is
    /// in the miniplayer.
    ///
    /// - Returns: Whether rows have changed.
    func update(played: [RecentFilm]? = nil, playing: String?) -> Bool {
        if let played { self.played = played }
        let others = self.played.filter { !$0.isFinished && $0.location != playing }
        let shown = showsRecent ? Array(others.prefix(Self.recentLimit)) : []
        let fractions = Dictionary(
            self.played.compactMap { film in film.fraction.map { (film.location, $0) } },
            uniquingKeysWith: { first, _ in first })
        guard shown != recent || fractions != playedFractions else { return false }
        (recent, playedFractions) = (shown, fractions)
        return true
    }

    // MARK: - Rows

    var items: [LibraryItem] { index?.entries ?? [] }
    var count: Int { recent.count + items.count }

    /// The number of rows above the cards: recent files and folders.
    var countAboveCards: Int { hasCards ? recent.count + folderCount : count }

    /// The folder's item of a row; nil for a recent file.
    func item(at row: Int) -> LibraryItem? {
        guard let index, index.entries.indices.contains(row - recent.count) else { return nil }
        return index.entries[row - recent.count]
    }

    /// The item of a row that is a card; nil for other rows.
    func item(ofCard row: Int) -> LibraryItem? { row >= countAboveCards ? item(at: row) : nil }

    func recentFile(at row: Int) -> RecentFilm? { recent.indices.contains(row) ? recent[row] : nil }

    /// The row of an item.
    func row(of id: LibraryItem.ID) -> Int? { index?.position(of: id).map { $0 + recent.count } }

    /// The row of a file: that of the folder's item, else that of the recent file.
    func row(ofFile location: String) -> Int? {
        row(of: LibraryFolder.absolute(location)) ?? recent.firstIndex { $0.location == location }
    }

    /// The row of a recent file with the path of an item.
    func recentRow(of id: LibraryItem.ID) -> Int? { recent.firstIndex { FilePath(location: $0.location) == id } }

    // MARK: - Items

    func details(of id: LibraryItem.ID) -> LibraryItemDetails? { index?.details(of: id) }

    /// How much of an item has been played, 0…1; nil for nothing.
    func playedFraction(of item: LibraryItem) -> Double? { playedFractions[item.path.location] }

    /// The folder's media as a playlist that starts at `path`; nil if `path` is not among them.
    func playlist(from path: FilePath) -> Playlist? {
        let media = items.filter { $0.kind != .folder }
        guard let start = media.firstIndex(where: { $0.path == path }) else { return nil }
        return Playlist(media.map(\.path.location), at: start)
    }
}
