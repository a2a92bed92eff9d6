public import Platform
import Time

/// The play history: the last position, levels and tracks of each medium, in a file that survives a crash.
///
/// If the file cannot be used, all calls still work, but nothing is remembered, and `report` says so once.
///
/// The first entry is written at once. Later ones are written once per `writeInterval`, and only the newest for each
/// medium. If a film's position is recorded every half second, it is known to within a second even after a crash.
///
/// Threads: any thread may call any method. Only the history's own thread uses the file, and methods that wait for it
/// say so.
public final class History: Sendable {
    /// The file's standard path: `$XDG_STATE_HOME/glissade/history.sqlite`, or the same in `~/.local/state`. Nil if
    /// there is no home directory.
    public static var standardPath: FilePath? { XDGDirectory.state.ofGlissade?.appending("history.sqlite".utf8) }

    static let writeInterval = Duration.milliseconds(500)
    /// The most entries kept while the disk cannot be written. When there are more, the oldest are dropped.
    static let pendingLimit = 64

    /// Requests to the history's thread, and its answers. Does not retain the history, so releasing the history ends
    /// the thread.
    struct State {
        var pending: [HistoryEntry] = []
        /// Locations to forget; nil means all.
        var forgotten: [[UInt8]?] = []
        var questions: [Question] = []
        var recent: [HistoryEntry]?
        var isClosing = false
        var isClosed = false

        /// Queues an entry, replacing a queued entry of the same medium.
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
    ///   - path: The file's path. If nil, nothing is remembered, and `report` says that there is no home directory.
    ///   - report: Called on the history's thread, or on the calling thread if that one cannot start. Called at most
    ///     twice: once if nothing can be remembered, and once if a damaged file was replaced.
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

    /// Replaces the entry of a medium. Does not block.
    public func record(_ entry: HistoryEntry) {
        state.update { state in if !state.isClosing { state.add(entry) } }
    }

    /// Looks up the entry of a medium. Does not block.
    ///
    /// - Parameter then: Called on the history's thread with the entry, or with nil if there is none or the file has
    ///   changed since. Called at once with nil if the history is closed.
    public func entry(for media: MediaIdentity, then: @escaping @Sendable (HistoryEntry?) -> Void) {
        let isOver = state.update { state in
            if !state.isClosing { state.questions.append(.entry(media, then)) }
            return state.isClosing
        }
        if isOver { then(nil) }
    }

    /// Returns the entry of a medium as `entry(for:then:)` does, or nil after `timeout`. Blocks; not for the main
    /// thread.
    public func entry(for media: MediaIdentity, within timeout: Duration) -> HistoryEntry? {
        let answer = Monitor<HistoryEntry??>(nil)
        entry(for: media) { entry in answer.update { $0 = .some(entry) } }
        return answer.wait(until: .now() + timeout) { $0 } ?? nil
    }

    /// Requests the `limit` entries played last, the latest first. Does not block. `wake` is called when `takeRecent`
    /// has them.
    public func askRecent(limit: Int) {
        state.update { state in
            if !state.isClosing { state.questions.append(.recent(limit: max(0, limit))) }
        }
    }

    /// Returns the answer to `askRecent`; nil before it has arrived, and after it was taken.
    public func takeRecent() -> [HistoryEntry]? {
        state.withLock { state in
            defer { state.recent = nil }
            return state.recent
        }
    }

    /// Forgets the medium at a location, even if the file has changed since. Does not block.
    public func forget(_ location: [UInt8]) {
        state.update { state in
            state.pending.removeAll { $0.media.location == location }
            state.forgotten.append(location)
        }
    }

    /// Forgets everything. Does not block.
    public func forgetAll() {
        state.update { state in
            state.pending = []
            state.forgotten = [nil]
        }
    }

    /// Writes pending entries and closes the file. Later entries are dropped. Blocks for at most `timeout`.
    ///
    /// - Returns: Whether the file was closed in time. If not, the thread still finishes the work.
    @discardableResult public func flushAndClose(within timeout: Duration) -> Bool {
        state.update { $0.isClosing = true }
        return state.wait(until: .now() + timeout) { $0.isClosed ? true : nil } ?? false
    }
}
