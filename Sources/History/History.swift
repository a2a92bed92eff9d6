package import GlissadePlatform
import GlissadeTime

/// The play history: the last position, volume, speed and tracks of each file or URL played. Stored in a file that
/// survives a crash.
///
/// If the file cannot be used, nothing is remembered, and the `report` closure passed to `init` is called. All methods
/// can still be called.
///
/// Entries are normally written at most once per `writeInterval`. Other requests, such as lookups, write the waiting
/// entries at once. Of several waiting entries for a file or URL, only the newest is written. A crash loses at most the
/// waiting entries.
///
/// Threads: any thread may call any method. Only the history's own thread uses the file. Methods that wait for this
/// thread say so.
package final class History: Sendable {
    /// The file's standard path: `glissade/history.sqlite` in `$XDG_STATE_HOME`, by default in `~/.local/state`. Nil if
    /// neither `$XDG_STATE_HOME` nor `$HOME` is an absolute path.
    package static var standardPath: BytePath? { XDGDirectory.state.ofGlissade?.appending("history.sqlite".utf8) }

    static let writeInterval = Duration.milliseconds(500)
    /// The maximum number of entries waiting to be written. Beyond this, the oldest entries are dropped.
    static let pendingLimit = 64

    /// The requests to the history's thread, and its answers. The thread retains this state but not the `History`
    /// object, whose `deinit` ends the thread.
    struct State {
        var pending: [HistoryEntry] = []
        /// The locations to forget; a nil element stands for all locations.
        var forgotten: [[UInt8]?] = []
        var questions: [Question] = []
        var recent: [HistoryEntry]?
        var isClosing = false
        var isClosed = false

        /// Queues an entry for writing, in place of any queued entry for the same file or URL.
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
    ///     Called at most twice: once if the file cannot be used, and once if a damaged file was replaced.
    ///   - wake: Called on the history's thread when `takeRecent` has new entries.
    package init(
        path: BytePath? = History.standardPath, report: @escaping @Sendable (HistoryError) -> Void,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        do {
            _ = try NamedThread(name: "history") { [state] in
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

    /// Records an entry, which replaces the previous entry for the same file or URL. Does not block.
    package func record(_ entry: HistoryEntry) {
        state.update { state in if !state.isClosing { state.add(entry) } }
    }

    /// Looks up the entry for a file or URL. Does not block.
    ///
    /// - Parameter then: Called on the history's thread with the entry. The entry is nil if there is none, or if the
    ///   file has changed since the entry was recorded. If the history is closed, `then` is called with nil before this
    ///   method returns.
    package func entry(for media: MediaIdentity, then: @escaping @Sendable (HistoryEntry?) -> Void) {
        let isOver = state.update { state in
            if !state.isClosing { state.questions.append(.entry(media, then)) }
            return state.isClosing
        }
        if isOver { then(nil) }
    }

    /// Returns the entry that `entry(for:then:)` finds; nil if there is none, or if `timeout` passes first. Blocks; not
    /// for the main thread.
    package func entry(for media: MediaIdentity, within timeout: Duration) -> HistoryEntry? {
        let answer = Monitor<HistoryEntry??>(nil)
        entry(for: media) { entry in answer.update { $0 = .some(entry) } }
        return answer.wait(until: .now() + timeout) { $0 } ?? nil
    }

    /// Requests the `limit` most recently played entries, latest first. Does not block. `wake` is called when the
    /// answer is available, unless an earlier answer has not been taken yet.
    package func askRecent(limit: Int) {
        state.update { state in
            if !state.isClosing { state.questions.append(.recent(limit: max(0, limit))) }
        }
    }

    /// Returns the latest answer to `askRecent`; nil if no answer has arrived since the last call.
    package func takeRecent() -> [HistoryEntry]? {
        state.withLock { state in
            defer { state.recent = nil }
            return state.recent
        }
    }

    /// Forgets the entry for a path or URL, even if the file has changed since it was played. Does not block.
    package func forget(_ location: [UInt8]) {
        state.update { state in
            state.pending.removeAll { $0.media.location == location }
            state.forgotten.append(location)
        }
    }

    /// Forgets all entries. Does not block.
    package func forgetAll() {
        state.update { state in
            state.pending = []
            state.forgotten = [nil]
        }
    }

    /// Writes the entries that are still queued, and closes the file. Later entries are dropped. Blocks for at most
    /// `timeout`.
    ///
    /// - Returns: Whether the file was closed in time. If false, the thread still finishes the work.
    @discardableResult package func flushAndClose(within timeout: Duration) -> Bool {
        state.update { $0.isClosing = true }
        return state.wait(until: .now() + timeout) { $0.isClosed ? true : nil } ?? false
    }
}
