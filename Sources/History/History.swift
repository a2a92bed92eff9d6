public import Platform
import Time

/// What was played, how far, and how: in a file that outlives the program, however it ends.
///
/// Shared by any threads; nothing here waits for the disk but what says so. A thread of its own keeps the file. Without
/// one, or with a broken one, everything works and nothing is remembered: `report` says so, once.
///
/// What is recorded is written at once, then at most each `writeInterval`, the newest of each medium: a film may be recorded
/// as often as one likes, and one that is recorded at least each half second while it plays is known to within a second,
/// whatever ends the program.
public final class History: Sendable {
    /// `$XDG_STATE_HOME/glissade/history.sqlite`, or that in `~/.local/state`; nil where there is no home.
    public static var standardPath: FilePath? { XDGDirectory.state.ofGlissade?.appending("history.sqlite".utf8) }

    static let writeInterval = Duration.milliseconds(500)
    /// Entries that wait for a disk that takes none; of more, the oldest are dropped.
    static let pendingLimit = 64

    /// What the thread is asked for. The thread does not keep the history itself.
    struct State {
        var pending: [HistoryEntry] = []
        /// Locations to be forgotten; nil is everything.
        var forgotten: [[UInt8]?] = []
        var questions: [Question] = []
        var recent: [HistoryEntry]?
        var isClosing = false
        var isClosed = false

        /// Replaces what waits about the same medium.
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

    /// Starts the thread, which opens the file.
    ///
    /// - Parameters:
    ///   - path: nil keeps nothing, and reports that there is no home.
    ///   - report: called on the history's thread (on this one where that cannot be started) when the file is in trouble: at most once that it is not kept, and once
    ///     that it was damaged and begun anew.
    ///   - wake: called on the history's thread when there are recent entries to take.
    public init(
        path: FilePath? = History.standardPath, report: @escaping @Sendable (HistoryError) -> Void,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        do {
            _ = try Thread(name: "history") { [state] in
                HistoryThread(state: state, keeper: HistoryStore(path: path, report: report), wake: wake).run()
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

    /// Keeps an entry in the place of what is known of the medium. Does not block.
    public func record(_ entry: HistoryEntry) {
        state.update { state in if !state.isClosing { state.add(entry) } }
    }

    /// Looks up what is known of a medium. Does not block.
    ///
    /// - Parameter then: called on the history's thread with the entry; with nil where there is none, or another file was
    ///   there when it was played. After the end, called at once.
    public func entry(for media: MediaIdentity, then: @escaping @Sendable (HistoryEntry?) -> Void) {
        let isOver = state.update { state in
            if !state.isClosing { state.questions.append(.entry(media, then)) }
            return state.isClosing
        }
        if isOver { then(nil) }
    }

    /// What is known of a medium, as in `entry(for:then:)`; nil too where the disk does not say in time. Blocks for so long
    /// at most: for a thread that opens media, not for the main thread.
    public func entry(for media: MediaIdentity, within patience: Duration) -> HistoryEntry? {
        let answer = Monitor<HistoryEntry??>(nil)
        entry(for: media) { entry in answer.update { $0 = .some(entry) } }
        return answer.wait(until: .now() + patience) { $0 } ?? nil
    }

    /// Asks for the last played, the latest first; `takeRecent` has them after `wake`. Does not block.
    public func askRecent(limit: Int) {
        state.update { state in
            if !state.isClosing { state.questions.append(.recent(limit: max(0, limit))) }
        }
    }

    /// The last played as last asked for; nil where they were taken, or have not come yet.
    public func takeRecent() -> [HistoryEntry]? {
        state.withLock { state in
            defer { state.recent = nil }
            return state.recent
        }
    }

    /// Forgets a medium by its location, whatever file is there. Does not block.
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

    /// Writes what waits and closes the file. What is recorded later is dropped. Blocks for so long at most.
    ///
    /// - Returns: Whether that was done in time. If not, the thread goes on with it.
    @discardableResult public func flushAndClose(within patience: Duration) -> Bool {
        state.update { $0.isClosing = true }
        return state.wait(until: .now() + patience) { $0.isClosed ? true : nil } ?? false
    }
}
