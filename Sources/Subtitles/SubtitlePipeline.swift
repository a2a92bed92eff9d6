import Glibc
import Media
import Platform
import Time

/// What the frame loop, the demuxer's thread and the subtitle thread share, and the thread's work.
///
/// Shared by any threads. The lock is held to look at events, never while one is set or decoded.
///
/// Threads: the frame loop asks and never waits; the demuxer's thread adds events; the subtitle thread draws; one
/// thread reads each file.
final class SubtitlePipeline: Sendable {
    struct State {
        var embedded: SubtitleSource?
        var external: SubtitleSource?
        var file = Subtitles.FileState.none
        /// Counts the files that were asked for: what comes of an earlier one is no longer wanted.
        var fileNumber = 0
        var lastSource = 0
        var placement = SubtitlePlacement()
        var slides = SubtitleRenderCache()
        /// How many lines of the source are left out, because they take too long to draw.
        var leftOutCount = 0
        /// Sources that are no longer shown. They may hold some hundred thousand lines: to free them takes a while.
        var discarded: [SubtitleSource] = []
        var hasThread = false
        var isOver = false

        var source: SubtitleSource? { external ?? embedded }

        /// Takes a source away, for the subtitle thread to free.
        mutating func discard(_ place: WritableKeyPath<State, SubtitleSource?>) {
            if let source = self[keyPath: place] { discarded.append(source) }
            self[keyPath: place] = nil
        }

        mutating func nextSource() -> Int {
            lastSource += 1
            return lastSource
        }
    }

    let state = Monitor(State())
    private let wake: @Sendable () -> Void
    let report: @Sendable (PlaybackProblem) -> Void

    init(wake: @escaping @Sendable () -> Void, report: @escaping @Sendable (PlaybackProblem) -> Void) {
        self.wake = wake
        self.report = report
    }

    /// The threads end as soon as they can, and are not waited for.
    func end() {
        state.update { state in
            state.isOver = true
            state.fileNumber += 1
        }
    }

    // MARK: - The thread

    /// Starts the thread when there is first something for it to do.
    func startThread() {
        let isNew = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isNew else { return }
        let isStarted = Thread.detach(name: "subtitles") { [self] in
            // In Linux, of this thread alone: a line may come late, a frame of the film may not.
            setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
            work()
        }
        // What comes next tries it again.
        if !isStarted { state.withLock { $0.hasThread = false } }
    }

    private enum Work {
        case end
        case free([SubtitleSource])
        /// What was waited for is there without being made: nothing is to be seen.
        case tell
        /// The source comes without its events.
        case make(SubtitleRenderCache.Job, SubtitlePlacement, SubtitleSource)
    }

    private func work() {
        var setter = SubtitleRenderer(report: report)
        while true {
            let work = state.wait { state -> Work? in
                if state.isOver { return .end }
                if !state.discarded.isEmpty {
                    defer { state.discarded = [] }
                    return .free(state.discarded)
                }
                guard var source = state.source, !state.placement.size.isEmpty else { return nil }
                guard let job = state.slides.nextJob(source.timeline, tick: state.placement.tick) else {
                    return state.slides.settle() ? .tell : nil
                }
                source.timeline = SubtitleTimeline()
                return .make(job, state.placement, source)
            }
            switch work {
            case nil, .end: return
            case .free: break
            case .tell: wake()
            case .make(let job, let placement, let source):
                setter.set(source, for: placement)
                let made = setter.picture(of: job.moment.events, at: job.time)
                let leftOut = setter.leftOutCount
                let isAwaited = state.update { state in
                    state.leftOutCount = leftOut
                    return state.slides.add(made.image, number: made.number)
                }
                if isAwaited { wake() }
            }
        }
    }

    // MARK: - Files

    /// Reads a file on a thread of its own and shows it instead of what the media brings.
    func open(_ location: String) {
        let (number, id) = state.update { state in
            state.fileNumber += 1
            state.file = .loading
            return (state.fileNumber, state.nextSource())
        }
        startThread()
        do throws(ThreadError) {
            _ = try Thread(name: "subtitle file") { [self] in
                setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
                let isUnwanted: () -> Bool = { self.state.withLock { $0.fileNumber != number } }
                do throws(PlaybackError) {
                    let source = try SubtitleFile.read(location, id: id, report: report, isInterrupted: isUnwanted)
                    finish(number, .success(source))
                } catch {
                    finish(number, .failure(error))
                }
            }
        } catch {
            finish(number, .failure(.cannotOpen(reason: "\(error)")))
        }
    }

    /// Takes what came of the file of that number, where it is still wanted.
    private func finish(_ number: Int, _ outcome: Result<SubtitleSource, PlaybackError>) {
        let isWanted = state.update { state in
            guard state.fileNumber == number else { return false }
            switch outcome {
            case .success(let source):
                state.file = .ready
                state.discard(\.external)
                state.external = source
                state.slides.removeAll()
            case .failure(let error): state.file = .failed(error)
            }
            return true
        }
        if isWanted { wake() }
    }

    /// Shows again what the media brings.
    func closeFile() {
        state.update { state in
            state.fileNumber += 1
            state.file = .none
            guard state.external != nil else { return }
            state.discard(\.external)
            state.slides.removeAll()
        }
    }

    // MARK: - The media's stream

    func begin(_ make: (Int) -> SubtitleSource?) {
        let id = state.withLock { $0.nextSource() }
        let source = make(id)
        let isNews = state.update { state in
            let isNews = source != nil || state.embedded != nil
            state.discard(\.embedded)
            state.embedded = source
            if state.external == nil { state.slides.removeAll() }
            return isNews && state.external == nil
        }
        // Whether there is anything to be shown, and what is on the screen, has changed.
        if isNews { wake() }
    }

    /// Takes in what a packet led to; `header` is what the decoder says by now.
    func take(_ output: SubtitleDecoder.Output) {
        guard !output.events.isEmpty || output.cut != nil else { return }
        let isNews = state.withLock { state in
            guard state.embedded != nil else { return false }
            var isNews = false
            func invalidate(_ start: Int64, _ end: Int64) {
                isNews = true
                if state.external == nil { state.slides.invalidate(from: start, until: end) }
            }
            if let cut = output.cut, output.events.isEmpty, state.embedded?.timeline.cutPictures(at: cut) == true {
                invalidate(cut, .max)
            }
            for event in output.events where state.embedded?.timeline.insert(event) == true {
                if case .picture = event.content {
                    invalidate(event.start, .max)
                } else {
                    invalidate(event.start, event.end)
                }
            }
            return isNews
        }
        guard isNews else { return }
        startThread()
        state.update { _ in }
    }
}
