import Glibc
import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// Renders subtitles on a low-priority thread, and holds the state that this thread shares with other threads.
///
/// The lock is held while events are looked up, but not while they are decoded or rendered.
///
/// Threads: the frame loop polls and never waits for rendering. The demuxer's thread adds events. The subtitle thread
/// renders. Each subtitle file is read on a thread of its own.
final class SubtitlePipeline: Sendable {
    struct State {
        var embedded: SubtitleSource?
        var external: SubtitleSource?
        var file = Subtitles.FileState.none
        /// The number of the latest request to open or close a file. Results of earlier requests are discarded.
        var fileNumber = 0
        var lastSource = 0
        var placement = SubtitlePlacement()
        /// The encoding of text that is not Unicode; nil if it is found out.
        var encoding: SubtitleEncoding?
        /// The film's frame rate, in frames per second; nil if unknown.
        var frameRate: Double?
        var renderCache = SubtitleRenderCache()
        /// The number of lines in the last rendered source that are skipped because each takes too long to render.
        var leftOutCount = 0
        /// The sources that are no longer used. The subtitle thread frees them, because freeing a large source takes a
        /// while.
        var discarded: [SubtitleSource] = []
        var hasThread = false
        var isOver = false

        var source: SubtitleSource? { external ?? embedded }

        /// Removes the source at `place`. The subtitle thread will free it.
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

    /// Tells the threads to end, without waiting for them.
    func end() {
        state.update { state in
            state.isOver = true
            state.fileNumber += 1
        }
    }

    // MARK: - The subtitle thread

    /// Starts the subtitle thread, unless it is already running.
    func startThread() {
        let isNew = state.withLock { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isNew else { return }
        let isStarted = NamedThread.detach(name: "subtitles") { [self] in
            // On Linux, this affects only the calling thread. A late subtitle is better than a late frame.
            setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
            work()
        }
        // If the thread cannot be started, the next call tries again.
        if !isStarted { state.withLock { $0.hasThread = false } }
    }

    private enum Work {
        case end
        case free([SubtitleSource])
        /// Wake the frame loop. It is waiting for a slide that is empty and therefore needs no rendering.
        case tell
        /// Render the picture of a job. The source is a copy without its events.
        case make(SubtitleRenderCache.Job, SubtitlePlacement, SubtitleSource)
    }

    private func work() {
        var renderer = SubtitleRenderer(report: report)
        while true {
            let work = state.wait { state -> Work? in
                if state.isOver { return .end }
                if !state.discarded.isEmpty {
                    defer { state.discarded = [] }
                    return .free(state.discarded)
                }
                guard var source = state.source, !state.placement.size.isEmpty else { return nil }
                guard let job = state.renderCache.nextJob(source.timeline, tick: state.placement.tick) else {
                    return state.renderCache.settle() ? .tell : nil
                }
                source.timeline = SubtitleTimeline()
                return .make(job, state.placement, source)
            }
            switch work {
            case nil, .end: return
            case .free: break
            case .tell: wake()
            case .make(let job, let placement, let source):
                renderer.set(source, for: placement)
                let made = renderer.picture(of: job.moment.events, at: job.time)
                let leftOut = renderer.leftOutCount
                let isAwaited = state.update { state in
                    state.leftOutCount = leftOut
                    return state.renderCache.add(made.image, number: made.number)
                }
                if isAwaited { wake() }
            }
        }
    }

    // MARK: - Subtitle files

    /// Reads a track of the subtitle file at `location` on a new thread, and then shows its subtitles instead of the
    /// embedded ones. If `track` is nil, reads the best track.
    func open(_ location: String, track: Int?) {
        let (number, id, encoding, frameRate) = state.update { state in
            state.fileNumber += 1
            state.file = .loading
            return (state.fileNumber, state.nextSource(), state.encoding, state.frameRate)
        }
        startThread()
        do throws(ThreadError) {
            _ = try NamedThread(name: "subtitle file") { [self] in
                setpriority(CInt(PRIO_PROCESS.rawValue), 0, 10)
                let isUnwanted: () -> Bool = { self.state.withLock { $0.fileNumber != number } }
                do throws(PlaybackError) {
                    let source = try SubtitleFile.read(
                        location, id: id, track: track, frameRate: frameRate, as: encoding, report: report,
                        isInterrupted: isUnwanted)
                    finish(number, .success(source))
                } catch {
                    finish(number, .failure(error))
                }
            }
        } catch {
            finish(number, .failure(.cannotOpen(reason: "\(error)")))
        }
    }

    /// Applies the result of reading a file, and wakes the frame loop. Ignores the result if a file has been opened or
    /// closed since request `number`.
    private func finish(_ number: Int, _ outcome: Result<SubtitleSource, PlaybackError>) {
        let isWanted = state.update { state in
            guard state.fileNumber == number else { return false }
            switch outcome {
            case .success(let source):
                state.file = .ready
                state.discard(\.external)
                state.external = source
                state.renderCache.removeAll()
            case .failure(let error): state.file = .failed(error)
            }
            return true
        }
        if isWanted { wake() }
    }

    /// Closes the subtitle file, cancels any reading in progress, and shows the embedded subtitles again.
    func closeFile() {
        state.update { state in
            state.fileNumber += 1
            state.file = .none
            guard state.external != nil else { return }
            state.discard(\.external)
            state.renderCache.removeAll()
        }
    }

    /// The encoding of text that is not Unicode; nil if it is found out.
    var encoding: SubtitleEncoding? { state.withLock { $0.encoding } }

    // MARK: - Embedded subtitles

    /// Begins the embedded track again without its events, and with the given header.
    func beginAgain(header: String?) {
        guard var source = state.withLock({ $0.embedded }) else { return }
        source.header = header
        source.timeline = SubtitleTimeline()
        begin { id in source.numbered(id) }
    }

    func begin(_ make: (Int) -> SubtitleSource?) {
        let id = state.withLock { $0.nextSource() }
        let source = make(id)
        let isNews = state.update { state in
            let isNews = source != nil || state.embedded != nil
            state.discard(\.embedded)
            state.embedded = source
            if state.external == nil { state.renderCache.removeAll() }
            return isNews && state.external == nil
        }
        // The subtitles on screen may have changed.
        if isNews { wake() }
    }

    /// Adds the events decoded from a packet of the embedded track. If the packet contains only an empty picture, ends
    /// the picture before it.
    func take(_ output: SubtitleDecoder.Output) {
        guard !output.events.isEmpty || output.cut != nil else { return }
        let isNews = state.withLock { state in
            guard state.embedded != nil else { return false }
            var isNews = false
            func invalidate(_ start: Int64, _ end: Int64) {
                isNews = true
                if state.external == nil { state.renderCache.invalidate(from: start, until: end) }
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
