import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import GlissadeTime

/// Shows the film's frames while the main thread is late.
///
/// The main thread hands over each display list after showing it, and normally draws the next frame itself. If the main
/// thread has not taken a film frame in time, the film thread draws the last list with that frame. The rest of the
/// interface stays unchanged. The renderer must have `drawsOnAnyThread`.
///
/// Threads: called on the main thread. The film thread draws while it holds `RenderLock`.
final class FilmThread: Sendable {
    private struct State {
        /// The display list that the main thread showed last.
        var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
        var targets: [(id: SurfaceID, target: any VideoTarget)] = []
        var renderer: (any Renderer)?
        /// The film to show; nil while only the main thread draws.
        var film: (any FilmThreadSource)?
        var start = LateStart()
        var thread: NamedThread?
        var isEnding = false
        /// Whether the thread is sleeping without a deadline.
        var isIdle = false
    }

    private let state = Monitor(State())
    /// How long to sleep before checking again whether the next film frame has been decoded and can be shown.
    private static let pollInterval = Duration.milliseconds(8)
    /// The longest sleep before the next film frame's due time is read again. A seek or a change of film may make the
    /// next frame due earlier.
    private static let longestSleep = Duration.milliseconds(100)

    /// Hands over `list`, the display list that `renderer` has just shown. If several windows show the film, only the
    /// list of the last call is used. If `list` does not show the film, or if no further film frame will become due,
    /// calls `rest` instead.
    ///
    /// - Parameter list: Swapped with the previous list, whose storage the caller can reuse.
    func show(
        _ list: inout DisplayList, renderer: any Renderer, film: any FilmThreadSource, start: LateStart,
        target: (SurfaceID) -> (any VideoTarget)?
    ) {
        let showsFilm = list.items.contains {
            if case .surface(let placement) = $0 { placement.surface == film.surface } else { false }
        }
        // A film that is not running has no frame that could be late, and would only wake the thread.
        guard showsFilm, film.isRunning || film.nextDue != nil else { return rest(in: renderer) }
        // Targets released here take `RenderLock`, which must be taken before the state's lock.
        let wasIdle = RenderLock.withLock {
            state.withLock { state -> Bool in
                swap(&state.list, &list)
                state.targets.removeAll(keepingCapacity: true)
                for case .surface(let placement) in state.list.items {
                    let id = placement.surface
                    guard !state.targets.contains(where: { $0.id == id }), let target = target(id) else { continue }
                    state.targets.append((id, target))
                }
                (state.renderer, state.film, state.start) = (renderer, film, start)
                if !state.isEnding { RenderLock.isShared = true }
                if state.thread == nil, !state.isEnding {
                    state.thread = try? NamedThread(name: "film") { [self] in run() }
                }
                return state.isIdle
            }
        }
        // A thread that is not idle wakes in time by itself.
        if wasIdle { state.update { $0.isIdle = false } }
    }

    /// Stops drawing on the film thread until the next call of `show`.
    ///
    /// - Parameter renderer: If not nil, drawing stops only if the last list came from this renderer.
    func rest(in renderer: (any Renderer)? = nil) {
        RenderLock.withLock {
            state.withLock { state in
                if renderer != nil, state.renderer !== renderer { return }
                (state.film, state.renderer) = (nil, nil)
                state.targets.removeAll(keepingCapacity: true)
                RenderLock.isShared = false
            }
        }
    }

    /// Ends the thread and waits for it.
    func end() {
        let thread = RenderLock.withLock {
            state.update { state in
                state.isEnding = true
                (state.film, state.renderer, state.targets) = (nil, nil, [])
                RenderLock.isShared = false
                return state.thread.take()
            }
        }
        thread?.join()
    }

    private enum Step {
        case end
        case draw
        case sleep(until: HostTime?)
    }

    private func run() {
        while true {
            switch state.withLock(Self.nextStep) {
            case .end: return
            case .draw:
                switch RenderLock.withLock({ state.withLock(Self.draw) }) {
                case .drawn: break
                case .nothing: _ = state.wait(until: .now() + Self.pollInterval) { $0.isEnding ? true : nil } as Bool?
                // The main thread gets the same error and handles it.
                case .failed: rest()
                }
            case .sleep(let until):
                _ = state.wait(until: until) { $0.isEnding || until == nil && !$0.isIdle ? true : nil } as Bool?
            }
        }
    }

    private static func nextStep(_ state: inout State) -> Step {
        if state.isEnding { return .end }
        let now = HostTime.now()
        if let film = state.film {
            if let due = film.nextDue {
                let start = state.start.time(due)
                return start <= now ? .draw : .sleep(until: min(start, now + longestSleep))
            }
            if film.isRunning { return .sleep(until: now + pollInterval) }
        }
        state.isIdle = true
        return .sleep(until: nil)
    }

    private enum Outcome {
        case drawn
        /// Nothing was shown: no frame was available, the display was holding frames back, or the renderer skipped the
        /// frame.
        case nothing
        /// Drawing or presenting threw an error.
        case failed
    }

    /// Draws and shows the last list with the film frame that is due.
    private static func draw(_ state: inout State) -> Outcome {
        let now = HostTime.now()
        guard let film = state.film, let renderer = state.renderer, let due = film.nextDue else { return .nothing }
        // The main thread may have taken the frame in the meantime.
        guard state.start.time(due) <= now else { return .drawn }
        guard renderer.isReady, film.update(by: state.start.framesBy(due, now: now)) else { return .nothing }
        let targets = state.targets
        do throws(RenderingError) {
            guard try renderer.draw(state.list, surfaces: { id in targets.first { $0.id == id }?.target }) else {
                film.didShow(at: nil)
                return .nothing
            }
            try renderer.present()
            film.didShow(at: state.start.visible(after: .now()))
            return .drawn
        } catch {
            film.didShow(at: nil)
            return .failed
        }
    }
}
