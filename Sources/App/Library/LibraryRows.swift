import Library
import Media

/// The rows of a library page: recent files, then the folder's items. Main thread.
@MainActor final class LibraryRows {
    /// The largest number of recent files that are listed.
    static let recentLimit = 3

    /// The folder's contents; nil until the page loads them.
    private(set) var index: LibraryIndex?
    /// The recent files above the folder's items, the latest first.
    private(set) var recent: [RecentFilm] = []
    /// The fraction of each file that has been played, by location.
    private var playedFractions: [String: Double] = [:]
    /// Whether items other than folders are cards.
    var hasCards = false
    /// All files that have been played, the latest first.
    private var played: [RecentFilm] = []
    private let showsRecent: Bool
    /// The number of folders, which come first among the items.
    private var folderCount = 0

    /// - Parameter showsRecent: Whether recent files are listed: true for the bottom page.
    init(showsRecent: Bool) { self.showsRecent = showsRecent }

    /// Sets the folder's contents.
    func begin(with index: LibraryIndex) { self.index = index }

    /// Notes that the folder's items have changed.
    func itemsChanged() { folderCount = items.firstIndex { $0.kind != .folder } ?? items.count }

    /// Updates the recent files and the played fractions. Finished files and the current file, which is in the
    /// miniplayer, are not listed as recent.
    ///
    /// - Parameters:
    ///   - played: All files that have been played, the latest first; nil if they have not changed.
    ///   - playing: The location of the current file; nil for none.
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

    /// The number of rows above the cards: recent files and folders, or all rows if there are no cards.
    var countAboveCards: Int { hasCards ? recent.count + folderCount : count }

    /// The folder's item in a row; nil for a recent file.
    func item(at row: Int) -> LibraryItem? {
        guard let index, index.entries.indices.contains(row - recent.count) else { return nil }
        return index.entries[row - recent.count]
    }

    /// The item in a row that is a card; nil for other rows.
    func item(ofCard row: Int) -> LibraryItem? { row >= countAboveCards ? item(at: row) : nil }

    func recentFile(at row: Int) -> RecentFilm? { recent.indices.contains(row) ? recent[row] : nil }

    /// The row of a folder's item; nil if the folder does not contain it.
    func row(of id: LibraryItem.ID) -> Int? { index?.position(of: id).map { $0 + recent.count } }

    /// The row of a file among the folder's items, else among the recent files; nil if it is in neither.
    func row(ofFile location: String) -> Int? {
        row(of: LibraryFolder.absolute(location)) ?? recent.firstIndex { $0.location == location }
    }

    /// The row of the recent file with this path; nil for none.
    func recentRow(of id: LibraryItem.ID) -> Int? { recent.firstIndex { FilePath(location: $0.location) == id } }

    // MARK: - Items

    func details(of id: LibraryItem.ID) -> LibraryItemDetails? { index?.details(of: id) }

    /// The fraction of an item that has been played, 0…1; nil for none.
    func playedFraction(of item: LibraryItem) -> Double? { playedFractions[item.path.location] }

    /// The folder's media as a playlist that starts at `path`; nil if the folder does not contain `path`.
    func playlist(from path: FilePath) -> Playlist? {
        let media = items.filter { $0.kind != .folder }
        guard let start = media.firstIndex(where: { $0.path == path }) else { return nil }
        return Playlist(media.map(\.path.location), at: start)
    }
}
