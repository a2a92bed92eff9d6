import GlissadeLibrary
import GlissadeMedia

/// The rows of a library page: recent files, then the folder's items. Main thread.
@MainActor final class LibraryRows {
    /// The maximum number of recent files that are listed.
    static let recentLimit = 3

    /// The folder's contents; nil until the page starts reading them.
    private(set) var index: LibraryIndex?
    /// The recent files that are listed above the folder's items, latest first.
    private(set) var recent: [RecentFilm] = []
    /// How much of each recent file has been played, 0…1, by path or URL.
    private var playedFractions: [String: Double] = [:]
    /// Whether the folder's media are shown as cards instead of rows. Folders and recent files are always rows.
    var hasCards = false
    /// Whether videos can play in the list's rows. In cards they always can.
    var playsInRows = false
    /// The recent files from the history, including finished ones, latest first.
    private var played: [RecentFilm] = []
    private let showsRecent: Bool
    /// The number of subfolders. They come before the media in `items`.
    private var folderCount = 0

    /// - Parameter showsRecent: Whether recent files are listed. True only on the bottom page.
    init(showsRecent: Bool) { self.showsRecent = showsRecent }

    /// Sets the index that reads the folder's contents. Called once, when the page loads.
    func begin(with index: LibraryIndex) {
        self.index = index
        index.setPinned(recent.compactMap(\.item))
    }

    /// Counts the subfolders again. Must be called when `items` has changed.
    func itemsChanged() { folderCount = items.firstIndex { $0.kind != .folder } ?? items.count }

    /// Updates the list of recent files, and how much of each file has been played. The list excludes finished files
    /// and the file at `playing`.
    ///
    /// - Parameters:
    ///   - played: The recent files from the history, including finished ones, latest first; nil if they have not
    ///     changed.
    ///   - playing: The path or URL of the file that is playing and counts as played by the user; nil if there is none.
    /// - Returns: Whether the list or the played fractions have changed.
    func update(played: [RecentFilm]? = nil, playing: String?) -> Bool {
        if let played { self.played = played }
        let others = self.played.filter { !$0.isFinished && $0.location != playing }
        let shown = showsRecent ? Array(others.prefix(Self.recentLimit)) : []
        let fractions = Dictionary(
            self.played.compactMap { film in film.fraction.map { (film.location, $0) } },
            uniquingKeysWith: { first, _ in first })
        guard shown != recent || fractions != playedFractions else { return false }
        (recent, playedFractions) = (shown, fractions)
        index?.setPinned(recent.compactMap(\.item))
        return true
    }

    // MARK: - Rows

    var items: [LibraryItem] { index?.entries ?? [] }
    var count: Int { recent.count + items.count }

    /// The number of rows above the cards: recent files and folders, or all rows if no item is shown as a card.
    var countAboveCards: Int { hasCards ? recent.count + folderCount : count }

    /// Returns the item at a row; nil if the row shows a recent file or does not exist.
    func item(at row: Int) -> LibraryItem? {
        guard let index, index.entries.indices.contains(row - recent.count) else { return nil }
        return index.entries[row - recent.count]
    }

    func isCard(_ row: Int) -> Bool { row >= countAboveCards }

    /// Whether videos can play in place, in cards or in rows.
    var playsInPlace: Bool { hasCards || playsInRows }

    /// Returns the item whose video a card or row can play in place; nil for a folder or a recent file, and if
    /// `playsInPlace` is false.
    func inlineItem(at row: Int) -> LibraryItem? {
        playsInPlace && row >= recent.count + folderCount ? item(at: row) : nil
    }

    /// The paths of all items and recent files, whose posters are kept.
    var paths: Set<LibraryItem.ID> { Set(items.map(\.id) + recent.compactMap(\.item?.id)) }

    func recentFile(at row: Int) -> RecentFilm? { recent.indices.contains(row) ? recent[row] : nil }

    /// Returns the row of an item; nil if the folder does not contain the item.
    func row(of id: LibraryItem.ID) -> Int? { index?.position(of: id).map { $0 + recent.count } }

    /// Returns the row of a file, given by path or URL; nil if no row shows the file. If the file is both an item of
    /// the folder and a recent file, returns the item's row.
    func row(ofFile location: String) -> Int? {
        row(of: LibraryFolder.absolute(location)) ?? recent.firstIndex { $0.location == location }
    }

    /// Returns the row of the recent file with the path `id`; nil if no such file is listed.
    func recentRow(of id: LibraryItem.ID) -> Int? { recent.firstIndex { BytePath(location: $0.location) == id } }

    // MARK: - Items

    func details(of id: LibraryItem.ID) -> LibraryItemDetails? { index?.details(of: id) }

    /// Returns how much of an item has been played according to the history, 0…1; nil if unknown.
    func playedFraction(of item: LibraryItem) -> Double? { playedFractions[item.path.location] }

    /// Returns the folder's media as a playlist whose current entry is `path`; nil if `path` is not among the folder's
    /// media.
    func playlist(from path: BytePath) -> Playlist? {
        let media = items.filter { $0.kind != .folder }
        guard let start = media.firstIndex(where: { $0.path == path }) else { return nil }
        return Playlist(media.map(\.path.location), at: start)
    }
}
