public import Geometry
public import Media
public import Platform

/// A folder's media and what is known of them: the face of the library for a page. Main thread; nothing blocks.
///
/// Reading the folder, opening media and making posters happen on other threads. These wake the main thread, which takes
/// their news with `takeNews`: only then does what is told here change. The folder is watched, and read again when
/// something in it has changed.
@MainActor public final class LibraryIndex {
    /// The folder whose content is listed.
    public let folder: FilePath
    /// The folders and media in the folder, in their order; empty until the folder was read.
    public private(set) var entries: [LibraryItem] = []
    /// Whether the folder was read, or could not be.
    public private(set) var isRead = false
    /// Why the folder could not be read the last time; nil where it could.
    public private(set) var failure: FolderError?

    private var positions: [LibraryItem.ID: Int] = [:]
    private var known: [LibraryItem.ID: LibraryItemDetails] = [:]
    /// Without a poster, or tried in vain.
    private var tried: Set<LibraryItem.ID> = []
    private var shelf: PosterMemoryCache<LibraryItem.ID>
    private var visible = 0..<0
    /// No poster is larger.
    public private(set) var posterLimit: PixelSize
    private let outbox: LibraryMailbox
    private let work: Work

    /// The owner's lists at the two workers, taken back when the index goes.
    private final class Work: Sendable {
        let probe: MediaProbe
        let posters: PosterMaker
        let watch: FolderWatch?
        let probing: JobQueue<MediaProbe.Job>.Owner
        let making: JobQueue<PosterMaker.Job>.Owner

        init(_ probe: MediaProbe, _ posters: PosterMaker, _ watch: FolderWatch?) {
            self.probe = probe
            self.posters = posters
            self.watch = watch
            probing = probe.worker.newOwner()
            making = posters.worker.newOwner()
        }

        deinit {
            watch?.stop()
            probe.worker.forget(probing)
            posters.worker.forget(making)
        }
    }

    /// Begins to read the folder at once.
    ///
    /// - Parameters:
    ///   - probe: opens the media; shared by the pages of a program.
    ///   - posters: makes the posters; likewise.
    ///   - posterLimit: the posters' largest size.
    ///   - posterBytes: how much of posters is kept in memory, beyond those in sight.
    ///   - wake: called on another thread when there are news.
    public init(
        _ folder: FilePath, probe: MediaProbe, posters: PosterMaker,
        posterLimit: PixelSize = PosterMaker.limit, posterBytes: Int = 32 << 20,
        wake: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        self.posterLimit = posterLimit
        shelf = PosterMemoryCache(byteLimit: posterBytes)
        let outbox = LibraryMailbox(wake: wake)
        self.outbox = outbox
        var watch: FolderWatch?
        do throws(ThreadError) {
            watch = try FolderWatch(folder, name: "library folder") { isOver in
                do throws(FolderError) {
                    let entries = try Folder(folder).entries(unless: isOver)
                    if !isOver() { outbox.put(.entries(entries)) }
                } catch {
                    outbox.put(.failed(error))
                }
            }
        } catch {
            outbox.put(.failed(FolderError(folder: folder, reason: "\(error)")))
        }
        work = Work(probe, posters, watch)
    }

    /// What is known of an entry; nil where it is none of these, or nothing is.
    public func details(of id: LibraryItem.ID) -> LibraryItemDetails? {
        guard var details = known[id] else { return nil }
        if let poster = shelf[id] { details.poster = .ready(poster) }
        return details
    }

    /// Where an entry stands in `entries` now; nil where it is gone.
    public func position(of id: LibraryItem.ID) -> Int? { positions[id] }

    /// Says which entries are in sight: they are looked at first, top down, then as many after them and before them. What
    /// was asked for before and has not begun is dropped. Cheap where nothing has changed.
    public func request(visible range: Range<Int>) {
        let range = range.clamped(to: 0..<entries.count)
        if range == visible { return }
        visible = range
        order()
    }

    /// Posters are wanted in another size: those that there are go, and are made, or read from the disk, anew.
    public func setPosterLimit(_ limit: PixelSize) {
        guard limit != posterLimit else { return }
        posterLimit = limit
        for entry in entries {
            shelf.remove(entry.id)
            known[entry.id]?.poster = .unknown
        }
        tried.removeAll()
        order()
    }

    /// Stops reading and decoding, as far as this page's is concerned, while something moves.
    public func suspend() {
        work.probe.worker.suspend(by: work.probing)
        work.posters.worker.suspend(by: work.making)
    }

    /// Continues what `suspend` has stopped.
    public func resume() {
        work.probe.worker.resume(by: work.probing)
        work.posters.worker.resume(by: work.making)
    }

    /// Takes in what the threads have found out since the last time, and tells of what changed by it.
    public func takeNews() -> [LibraryChange] {
        let reports = outbox.takeAll()
        return reports.compactMap { report in
            switch report {
            case .entries(let entries):
                isRead = true
                let isNew = entries != self.entries || failure != nil
                failure = nil
                replace(entries)
                return isNew ? .entries : nil
            case .failed(let error):
                isRead = true
                failure = error
                return .failed(error)
            case .probed(let entry, let answer): return take(answer, of: entry)
            // What was asked for before another size was is out of date.
            case .poster(let entry, let answer, let limit):
                return limit == posterLimit ? take(answer, of: entry) : nil
            }
        }
    }

    // MARK: - Taking in

    private func replace(_ entries: [LibraryItem]) {
        var positions: [LibraryItem.ID: Int] = [:]
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() { positions[entry.id] = position }
        for old in self.entries {
            if let position = positions[old.id], entries[position].isUnchanged(since: old) { continue }
            known[old.id] = nil
            tried.remove(old.id)
            shelf.remove(old.id)
        }
        self.entries = entries
        self.positions = positions
        visible = visible.clamped(to: 0..<entries.count)
        order()
    }

    private func isCurrent(_ entry: LibraryItem) -> Bool {
        positions[entry.id].map { entries[$0].isUnchanged(since: entry) } ?? false
    }

    private func take(_ answer: MediaProbe.Answer, of entry: LibraryItem) -> LibraryChange? {
        guard isCurrent(entry) else { return nil }
        switch answer {
        case .success(let summary): known[entry.id, default: LibraryItemDetails()].summary = summary
        case .failure(let refusal): known[entry.id, default: LibraryItemDetails()].failure = refusal.words
        }
        return .details(entry.id)
    }

    private func take(_ answer: PosterMaker.Answer, of entry: LibraryItem) -> LibraryChange? {
        guard isCurrent(entry) else { return nil }
        var details = known[entry.id] ?? LibraryItemDetails()
        switch answer {
        case .poster(let poster):
            let isInSight = positions[entry.id].map(visible.contains) ?? false
            shelf.put(poster, for: entry.id, isInSight: isInSight)
            details.poster = .unknown
        case .absent, .failed:
            tried.insert(entry.id)
            details.poster = .absent
        }
        known[entry.id] = details
        return .poster(entry.id)
    }

    /// Tells the workers what is wanted now.
    private func order() {
        let ahead = visible.upperBound..<min(entries.count, visible.upperBound + visible.count)
        let behind = max(0, visible.lowerBound - visible.count)..<visible.lowerBound
        let wanted = [Array(visible), Array(ahead), behind.reversed()].joined().map { entries[$0] }
            .filter { $0.kind != .folder }
        shelf.see(wanted.lazy.map(\.id))
        let (outbox, limit) = (outbox, posterLimit)
        work.probe.worker.want(
            wanted.filter { !(known[$0.id]?.isProbed ?? false) }.map { entry in
                MediaProbe.Job(entry: entry) { outbox.put(.probed(entry, $0)) }
            }, by: work.probing)
        work.posters.worker.want(
            wanted.filter { shelf[$0.id] == nil && !tried.contains($0.id) }.map { entry in
                PosterMaker.Job(entry: entry, limit: limit) { outbox.put(.poster(entry, $0, limit: limit)) }
            }, by: work.making)
    }
}
