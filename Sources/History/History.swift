public import Platform
import Time

/// The play history: the last position, volume, speed and tracks of each file or URL played. The history is kept in a
/// file that survives a crash.
///
/// If that file cannot be used, all calls still work, but nothing is remembered, and the `report` closure passed to
/// `init` is called once.
///
/// If the history's thread has done nothing for `writeInterval`, an entry is written at once. Otherwise the entry waits
/// for the rest of that interval, or for a request such as a lookup. Of the waiting entries, only the newest for each
/// file or URL is written. If a film's position is recorded every half second, the history contains the position to
/// within a second even after a crash.
///
/// Threads: any thread may call any method. Only the history's own thread uses the file, and methods that wait for it
/// say so.
public final class History: Sendable {
    /// The file's standard path: `glissade/history.sqlite` in `$XDG_STATE_HOME`, or in `~/.local/state` if that is not
    /// an absolute path. Nil if `$HOME` is not an absolute path either.
    public static var standardPath: FilePath? { XDGDirectory.state.ofGlissade?.appending("history.sqlite".utf8) }

    static let writeInterval = Duration.milliseconds(500)
    /// The maximum number of entries waiting to be written. Beyond this, for example while the disk is full, the oldest
    /// are dropped.
    static let pendingLimit = 64

    /// The requests to the history's thread, and its answers. The thread retains only this state. Therefore the
    /// `History` object can be released, which ends the thread.
    struct State {
        var pending: [HistoryEntry] = []
        /// The locations to forget; a nil element stands for all.
        var forgotten: [[UInt8]?] = []
        var questions: [Question] = []
        var recent: [HistoryEntry]?
        var isClosing = false
        var isClosed = false

        /// Queues an entry for writing, and removes a queued entry for the same file or URL.
        mutating func add(_ entry: HistoryEntry) {
            pending.removeAll { $0.media.location == entry.media.location }
            pending.append(entry)
            if pending.count > History.pendingLimit { pending.removeFirst() }
        }
    }

    enum Question: Sendable {
        case entry(MediaIdentity, @Sendable (HistoryEntry?) -> Void)
        case recent(limit: Int)
    }

    private let state = Monitor(State())

    /// Starts the thread that opens the file.
    ///
    /// - Parameters:
    ///   - path: The file's path. If nil, nothing is remembered, and `report` receives `noHome`.
    ///   - report: Called on the history's thread, or on the calling thread if the history's thread cannot start.
    ///     Called at most twice: once if nothing can be remembered, and once if a damaged file was replaced.
    ///   - wake: Called on the history's thread when `takeRecent` has new entries.
    public init(
        path: FilePath? = History.standardPath, report: @escaping @Sendable (HistoryError) -> Void,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        do {
            _ = try Thread(name: "history") { [state] in
                Worker(state: state, path: path, report: report, wake: wake).run()
            }
        } catch {
            state.update { state in
                state.isClosing = true
                state.isClosed = true
            }
            report(HistoryError(path: path, kind: .unavailable(reason: "\(error)")))
        }
    }

    deinit { state.update { $0.isClosing = true } }

    /// Records an entry in place of the previous one for the same file or URL. Does not block.
    public func record(_ entry: HistoryEntry) {
        state.update { state in if !state.isClosing { state.add(entry) } }
    }

    /// Looks up the entry for a file or URL. Does not block.
    ///
    /// - Parameter then: Called on the history's thread with the entry, or with nil if there is none or the file has
    ///   changed since the entry was recorded. If the history is closed, called with nil before this method returns.
    public func entry(for media: MediaIdentity, then: @escaping @Sendable (HistoryEntry?) -> Void) {
        let isOver = state.update { state in
            if !state.isClosing { state.questions.append(.entry(media, then)) }
            return state.isClosing
        }
        if isOver { then(nil) }
    }

    /// Returns the entry that `entry(for:then:)` finds; nil if there is none, or if `timeout` passes first. Blocks; not
    /// for the main thread.
    public func entry(for media: MediaIdentity, within timeout: Duration) -> HistoryEntry? {
        let answer = Monitor<HistoryEntry??>(nil)
        entry(for: media) { entry in answer.update { $0 = .some(entry) } }
        return answer.wait(until: .now() + timeout) { $0 } ?? nil
    }

    /// Requests the `limit` entries played last, the latest first. Does not block. Once `takeRecent` can return the
    /// entries, `wake` is called, unless an earlier answer has not been taken yet.
    public func askRecent(limit: Int) {
        state.update { state in
            if !state.isClosing { state.questions.append(.recent(limit: max(0, limit))) }
        }
    }

    /// Returns the latest answer to `askRecent`; nil if none has arrived since the last call.
    public func takeRecent() -> [HistoryEntry]? {
        state.withLock { state in
            defer { state.recent = nil }
            return state.recent
        }
    }

    /// Forgets the entry for a path or URL, even if the file has changed since it was played. Does not block.
    public func forget(_ location: [UInt8]) {
        state.update { state in
            state.pending.removeAll { $0.media.location == location }
            state.forgotten.append(location)
        }
    }

    /// Forgets all entries. Does not block.
    public func forgetAll() {
        state.update { state in
            state.pending = []
            state.forgotten = [nil]
        }
    }

    /// Writes the entries that are still queued, and closes the file. Later entries are dropped. Blocks for at most
    /// `timeout`.
    ///
    /// - Returns: Whether the file was closed in time. If not, the thread still finishes the work.
    @discardableResult public func flushAndClose(within timeout: Duration) -> Bool {
        state.update { $0.isClosing = true }
        return state.wait(until: .now() + timeout) { $0.isClosed ? true : nil } ?? false
    }
}
