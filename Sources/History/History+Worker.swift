import Glibc
import GlissadePlatform
import GlissadeTime

extension History {
    /// The loop of the history's thread, which waits for requests, handles them, and recovers from file errors.
    ///
    /// After a failure that may be temporary, such as a full disk, the file is tried again later. The first damaged
    /// file is moved aside and replaced. The worker gives up if that file cannot be moved, if a second file is damaged,
    /// if a newer version wrote the file, or if there is no home folder.
    ///
    /// Threads: confined to the history's thread. Shares only `state` with other threads.
    final class Worker {
        /// How long to wait after a failure before the file is tried again.
        static let retryDelay = Duration.seconds(5)

        /// The work to do in one pass of the loop.
        private struct Work {
            var entries: [HistoryEntry] = []
            var forgotten: [[UInt8]?] = []
            var questions: [Question] = []
            var isLast = false
        }

        private let state: Monitor<State>
        private let path: BytePath?
        private let report: @Sendable (HistoryError) -> Void
        private let wake: @Sendable () -> Void
        private var database: HistoryDatabase?
        private var isGivenUp = false
        private var retryTime: HostTime?
        private var hasReported = false
        private var hasMovedAside = false
        /// The locations still to be forgotten after a failure; a nil element stands for all locations.
        private var unforgotten: [[UInt8]?] = []

        init(
            state: Monitor<State>, path: BytePath?, report: @escaping @Sendable (HistoryError) -> Void,
            wake: @escaping @Sendable () -> Void
        ) {
            self.state = state
            self.path = path
            self.report = report
            self.wake = wake
        }

        /// Handles requests until the history closes.
        func run() {
            // Opens the file immediately, to report problems early.
            _ = attempt { _ in }
            var nextWrite = HostTime.now()
            while true {
                let work = nextWork(writingFrom: nextWrite)
                let isDone = perform(work)
                nextWrite = .now() + History.writeInterval
                if !isDone, let retryTime { nextWrite = max(nextWrite, retryTime) }
                if work.isLast { break }
            }
            database?.close()
            state.update { $0.isClosed = true }
        }

        /// Waits for work and returns it. If there are only entries to write, waits until `time` or until other work
        /// arrives.
        private func nextWork(writingFrom time: HostTime) -> Work {
            state.wait { state -> Void? in Self.isUrgent(state) || !state.pending.isEmpty ? () : nil }
            let urgent = state.wait(until: time) { state -> Work? in Self.isUrgent(state) ? Self.take(&state) : nil }
            return urgent ?? state.withLock { state in Self.take(&state) }
        }

        private static func isUrgent(_ state: State) -> Bool {
            !state.forgotten.isEmpty || !state.questions.isEmpty || state.isClosing
        }

        private static func take(_ state: inout State) -> Work {
            defer {
                state.pending = []
                state.forgotten = []
                state.questions = []
            }
            return Work(
                entries: state.pending, forgotten: state.forgotten, questions: state.questions,
                isLast: state.isClosing)
        }

        /// Forgets locations, then writes entries, then answers questions. An answer therefore reflects the entries
        /// recorded before the question. Returns whether all entries were written.
        private func perform(_ work: Work) -> Bool {
            let locations = unforgotten + work.forgotten
            unforgotten = []
            for location in locations {
                let isForgotten: Void? = attempt(isLast: work.isLast) { database throws(HistoryDatabase.Failure) in
                    try database.forget(location)
                }
                if isForgotten == nil, !isGivenUp { unforgotten.append(location) }
            }
            var isDone = true
            if !work.entries.isEmpty {
                let isWritten: Void? = attempt(isLast: work.isLast) { database throws(HistoryDatabase.Failure) in
                    try database.write(work.entries)
                }
                if isWritten == nil {
                    isDone = false
                    if !isGivenUp { putBack(work.entries) }
                }
            }
            for question in work.questions { answer(question, unwritten: isDone || isGivenUp ? [] : work.entries) }
            return isDone
        }

        /// Queues unwritten entries again, ahead of entries recorded since then.
        private func putBack(_ entries: [HistoryEntry]) {
            state.withLock { state in
                let newer = state.pending
                state.pending = []
                for entry in entries + newer { state.add(entry) }
            }
        }

        private func answer(_ question: Question, unwritten: [HistoryEntry]) {
            switch question {
            case .entry(let media, let then):
                let known = unwritten.first { $0.media.location == media.location }
                let entry =
                    known ?? attempt { database throws(HistoryDatabase.Failure) in
                        try database.entry(at: media.location)
                    } ?? nil
                // A different file at the same path has no history.
                then(entry?.media == media ? entry : nil)
            case .recent(let limit):
                let entries = attempt { database throws(HistoryDatabase.Failure) in try database.recent(limit) }
                let isNew = state.withLock { state in
                    defer { state.recent = entries ?? [] }
                    return state.recent == nil
                }
                if isNew { wake() }
            }
        }

        /// Runs `body` with the database. If the file turns out to be damaged, runs `body` once more with a new file.
        /// Returns nil on failure, and during the pause after a failure.
        ///
        /// - Parameter isLast: Whether the history is closing. If true, the pause is ignored.
        private func attempt<R>(
            isLast: Bool = false, _ body: (HistoryDatabase) throws(HistoryDatabase.Failure) -> R
        ) -> R? {
            if isGivenUp { return nil }
            if let retryTime, !isLast, HostTime.now() < retryTime { return nil }
            while true {
                do throws(HistoryDatabase.Failure) {
                    let result = try body(opened())
                    retryTime = nil
                    return result
                } catch {
                    guard recovers(from: error) else { return nil }
                }
            }
        }

        private func opened() throws(HistoryDatabase.Failure) -> HistoryDatabase {
            if let database { return database }
            guard let path else { throw .unavailable(reason: "no home") }
            let opened = try HistoryDatabase(path)
            database = opened
            return opened
        }

        /// Reacts to a failure, and reports it if needed. Returns whether to try again at once.
        private func recovers(from failure: HistoryDatabase.Failure) -> Bool {
            guard let path else {
                giveUp(HistoryError(path: nil, kind: .noHome))
                return false
            }
            switch failure {
            case .newer: giveUp(HistoryError(path: path, kind: .newer))
            case .damaged(let reason):
                database?.close()
                database = nil
                // A second damaged file in one run has another cause, so do not keep moving files aside.
                if !hasMovedAside, let moved = HistoryDatabase.moveAside(path) {
                    hasMovedAside = true
                    report(HistoryError(path: path, kind: .damaged(reason: reason, movedTo: moved)))
                    return true
                }
                giveUp(HistoryError(path: path, kind: .unavailable(reason: reason)))
            case .unavailable(let reason):
                retryTime = .now() + Self.retryDelay
                reportOnce(HistoryError(path: path, kind: .unavailable(reason: reason)))
            }
            return false
        }

        private func giveUp(_ error: HistoryError) {
            isGivenUp = true
            reportOnce(error)
        }

        private func reportOnce(_ error: HistoryError) {
            if hasReported { return }
            hasReported = true
            report(error)
        }
    }
}
