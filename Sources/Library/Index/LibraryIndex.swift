package import GlissadeGeometry
package import GlissadeMedia
import GlissadePlatform

/// The items of a folder and what is known about them, for a library page.
///
/// Background threads read the folder, open files and make posters. When they have results, they wake the main thread,
/// which applies the results with `drainChanges`. The folder is watched, and read again when it changes.
///
/// Threads: main thread; no call blocks.
@MainActor package final class LibraryIndex {
    /// The path of the folder whose items are listed.
    package let folder: BytePath
    /// The folder's items, in the order of `Folder.entries`; empty until the folder has been read.
    package private(set) var entries: [LibraryItem] = []
    /// Whether an attempt to read the folder has completed, successfully or not.
    package private(set) var isRead = false
    /// The error of the last attempt to read the folder; nil if that attempt succeeded or none has completed yet.
    package private(set) var failure: FolderError?

    /// Media files above the folder's items, which need not be in the folder. Set with `setPinned`.
    private var pinned: [LibraryItem] = []
    private var positions: [LibraryItem.ID: Int] = [:]
    private var known: [LibraryItem.ID: LibraryItemDetails] = [:]
    /// The items for which no poster could be made. Such an item is skipped until it or `posterLimit` changes.
    private var tried: Set<LibraryItem.ID> = []
    private var posterCache: PosterMemoryCache<LibraryItem.ID>
    private var visible = 0..<0
    /// The size limit of posters, in pixels.
    package private(set) var posterLimit: PixelSize
    private let mailbox: Mailbox<LibraryReport>
    private let work: Work

    /// The folder watch, and this index's jobs in the two shared queues. When the index is released, the watch stops
    /// and the jobs are withdrawn.
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
            probing = probe.queue.newOwner()
            making = posters.queue.newOwner()
        }

        deinit {
            watch?.stop()
            probe.queue.forget(probing)
            posters.queue.forget(making)
        }
    }

    /// Starts watching and reading the folder.
    ///
    /// - Parameters:
    ///   - probe: Opens media files; shared by all library pages.
    ///   - posters: Makes posters; shared by all library pages.
    ///   - posterLimit: The size limit of posters, in pixels.
    ///   - posterBytes: The memory limit for cached posters, in bytes. Visible posters are kept even beyond the limit.
    ///   - wake: Called, usually on a background thread, when `drainChanges` has something to apply.
    package init(
        _ folder: BytePath, probe: MediaProbe, posters: PosterMaker,
        posterLimit: PixelSize = PosterMaker.limit, posterBytes: Int = 32 << 20,
        wake: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        self.posterLimit = posterLimit
        posterCache = PosterMemoryCache(byteLimit: posterBytes)
        let mailbox = Mailbox<LibraryReport>(wake: wake)
        self.mailbox = mailbox
        var watch: FolderWatch?
        do throws(ThreadError) {
            watch = try FolderWatch(folder, name: "library folder") { isOver in
                do throws(FolderError) {
                    let entries = try Folder(folder).entries(unless: isOver)
                    if !isOver() { mailbox.report(.entries(entries)) }
                } catch {
                    mailbox.report(.failed(error))
                }
            }
        } catch {
            mailbox.report(.failed(FolderError(folder: folder, reason: "\(error)")))
        }
        work = Work(probe, posters, watch)
    }

    /// Returns what is known about an item; nil if nothing is known or the item is gone.
    package func details(of id: LibraryItem.ID) -> LibraryItemDetails? {
        guard var details = known[id] else { return nil }
        if let poster = posterCache[id] { details.poster = .ready(poster) }
        return details
    }

    /// Returns the item's index in `entries`; nil if the item is gone.
    package func position(of id: LibraryItem.ID) -> Int? { positions[id] }

    /// Sets the visible range of `entries`, and requests the missing summaries and posters. Cheap if the range has not
    /// changed.
    ///
    /// Requests first the visible items, from top to bottom. Then requests as many items below the range, and finally
    /// as many above it, in both cases the nearest first. Earlier requests that have not started are dropped.
    package func request(visible range: Range<Int>) {
        let range = range.clamped(to: 0..<entries.count)
        if range == visible { return }
        visible = range
        order()
    }

    /// Sets the media files that the page lists above the folder's items, such as recently played files. Their posters
    /// are requested before all others. The files need not be in the folder. There should be only a few, since their
    /// posters are never evicted from memory.
    package func setPinned(_ items: [LibraryItem]) {
        guard items != pinned else { return }
        let old = pinned
        pinned = items
        for item in old where item != current(item.id) { forget(item.id) }
        order()
    }

    /// Sets the size limit of posters, in pixels. If the limit changes, drops all posters, and requests those of the
    /// visible items and their neighbors again.
    package func setPosterLimit(_ limit: PixelSize) {
        guard limit != posterLimit else { return }
        posterLimit = limit
        for entry in entries + pinned {
            posterCache.remove(entry.id)
            known[entry.id]?.poster = .unknown
        }
        tried.removeAll()
        order()
    }

    /// Pauses the two shared queues until `resume` is called, for example during animations. This also pauses the work
    /// of other pages.
    package func suspend() {
        work.probe.queue.suspend(by: work.probing)
        work.posters.queue.suspend(by: work.making)
    }

    /// Ends the pause started by `suspend`. The queues continue once every owner that suspended them has resumed them.
    package func resume() {
        work.probe.queue.resume(by: work.probing)
        work.posters.queue.resume(by: work.making)
    }

    /// Applies the results that have been reported since the last call. Returns what has changed.
    package func drainChanges() -> [LibraryChange] {
        let reports = mailbox.takeAll()
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
            // Ignore posters that were requested before the size limit changed.
            case .poster(let entry, let answer, let limit):
                return limit == posterLimit ? take(answer, of: entry) : nil
            }
        }
    }

    // MARK: - Applying results

    private func replace(_ entries: [LibraryItem]) {
        var positions: [LibraryItem.ID: Int] = [:]
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() { positions[entry.id] = position }
        let former = self.entries + pinned.filter { self.positions[$0.id] == nil }
        self.entries = entries
        self.positions = positions
        for old in former where !isCurrent(old) { forget(old.id) }
        visible = visible.clamped(to: 0..<entries.count)
        order()
    }

    private func forget(_ id: LibraryItem.ID) {
        known[id] = nil
        tried.remove(id)
        posterCache.remove(id)
    }

    /// Returns the newest known version of an item of the folder or of a pinned file; nil if the item is gone.
    private func current(_ id: LibraryItem.ID) -> LibraryItem? {
        positions[id].map { entries[$0] } ?? pinned.first { $0.id == id }
    }

    private func isCurrent(_ entry: LibraryItem) -> Bool { current(entry.id)?.isUnchanged(since: entry) ?? false }

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
            let isInSight =
                positions[entry.id].map(visible.contains) == true || pinned.contains { $0.id == entry.id }
            posterCache.put(poster, for: entry.id, isInSight: isInSight)
            details.poster = .unknown
        case .absent, .failed:
            tried.insert(entry.id)
            details.poster = .absent
        }
        known[entry.id] = details
        return .poster(entry.id)
    }

    /// Replaces this index's jobs in both queues with jobs for the summaries and posters that are missing now. Posters of
    /// pinned files come first.
    private func order() {
        let ahead = visible.upperBound..<min(entries.count, visible.upperBound + visible.count)
        let behind = max(0, visible.lowerBound - visible.count)..<visible.lowerBound
        let wanted = [Array(visible), Array(ahead), behind.reversed()].joined().map { entries[$0] }
            .filter { $0.kind != .folder }
        let first = pinned.compactMap { current($0.id) }
        let pinnedIDs = Set(first.map(\.id))
        let pictured = first + wanted.filter { !pinnedIDs.contains($0.id) }
        posterCache.see(pictured.lazy.map(\.id))
        let (mailbox, limit) = (mailbox, posterLimit)
        work.probe.queue.want(
            wanted.filter { !(known[$0.id]?.isProbed ?? false) }.map { entry in
                MediaProbe.Job(entry: entry) { mailbox.report(.probed(entry, $0)) }
            }, by: work.probing)
        work.posters.queue.want(
            pictured.filter { posterCache[$0.id] == nil && !tried.contains($0.id) }.map { entry in
                PosterMaker.Job(entry: entry, limit: limit) { mailbox.report(.poster(entry, $0, limit: limit)) }
            }, by: work.making)
    }
}
