import Glibc
import Platform
import Time

/// What the history's thread does: sleep until something is wanted, and do it.
struct HistoryThread {
    let state: Monitor<History.State>
    let keeper: HistoryStore
    let wake: @Sendable () -> Void

    /// What is done in one go.
    private struct Work {
        var entries: [HistoryEntry] = []
        var forgotten: [[UInt8]?] = []
        var questions: [History.Question] = []
        var isLast = false
    }

    func run() {
        keeper.open()
        var nextWrite = HostTime.now()
        // What could not be forgotten when it was wanted.
        var unforgotten: [[UInt8]?] = []
        while true {
            var work = nextWork(writingFrom: nextWrite)
            work.forgotten = unforgotten + work.forgotten
            unforgotten = []
            let isDone = perform(work, &unforgotten)
            nextWrite = .now() + History.writeInterval
            if !isDone, let retry = keeper.retryTime { nextWrite = max(nextWrite, retry) }
            if work.isLast { break }
        }
        keeper.close()
        state.update { $0.isClosed = true }
    }

    /// Sleeps until there is something to do. What is only to be written waits for its time.
    private func nextWork(writingFrom time: HostTime) -> Work {
        state.wait { state -> Void? in Self.isUrgent(state) || !state.pending.isEmpty ? () : nil }
        let urgent = state.wait(until: time) { state -> Work? in Self.isUrgent(state) ? Self.take(&state) : nil }
        return urgent ?? state.withLock { state in Self.take(&state) }
    }

    private static func isUrgent(_ state: History.State) -> Bool {
        !state.forgotten.isEmpty || !state.questions.isEmpty || state.isClosing
    }

    private static func take(_ state: inout History.State) -> Work {
        defer {
            state.pending = []
            state.forgotten = []
            state.questions = []
        }
        return Work(
            entries: state.pending, forgotten: state.forgotten, questions: state.questions, isLast: state.isClosing)
    }

    /// Forgets, writes, then answers, so that answers know what was recorded before they were asked for. Whether all that
    /// was to be written is.
    private func perform(_ work: Work, _ unforgotten: inout [[UInt8]?]) -> Bool {
        var isDone = true
        for location in work.forgotten {
            let isForgotten: Void? = keeper.perform(isLast: work.isLast) { database throws(HistoryDatabase.Failure) in
                try database.forget(location)
            }
            if isForgotten == nil, !keeper.isGivenUp { unforgotten.append(location) }
        }
        if !work.entries.isEmpty {
            let isWritten: Void? = keeper.perform(isLast: work.isLast) { database throws(HistoryDatabase.Failure) in
                try database.write(work.entries)
            }
            if isWritten == nil {
                isDone = false
                if !keeper.isGivenUp { putBack(work.entries) }
            }
        }
        for question in work.questions { answer(question, knowing: isDone || keeper.isGivenUp ? [] : work.entries) }
        return isDone
    }

    /// What could not be written waits on, before what has come since.
    private func putBack(_ entries: [HistoryEntry]) {
        state.withLock { state in
            let newer = state.pending
            state.pending = []
            for entry in entries + newer { state.add(entry) }
        }
    }

    private func answer(_ question: History.Question, knowing unwritten: [HistoryEntry]) {
        switch question {
        case .entry(let media, let then):
            let known = unwritten.first { $0.media.location == media.location }
            let entry =
                known ?? keeper.perform { database throws(HistoryDatabase.Failure) in
                    try database.entry(at: media.location)
                } ?? nil
            // Another file in its place begins at its own beginning.
            then(entry?.media == media ? entry : nil)
        case .recent(let limit):
            let entries = keeper.perform { database throws(HistoryDatabase.Failure) in try database.recent(limit) }
            let isNew = state.withLock { state in
                defer { state.recent = entries ?? [] }
                return state.recent == nil
            }
            if isNew { wake() }
        }
    }
}
