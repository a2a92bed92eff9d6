import Geometry
import Layers
import Platform
import Rendering
import Time

/// Keeps the film going while the main thread is late: shows its frames in the last display list.
///
/// The main thread hands over each list that it has shown, and shows the next one itself. Only if it has not taken a frame
/// of the film when there is just time enough left to show it, this thread does, with the interface as it was. It works with
/// renderers that draw on any thread.
///
/// Threads: shared. The main thread calls; the film's thread draws while it holds `RenderLock`.
final class FilmThread: Sendable {
    private struct State {
        /// What the main thread has shown last.
        var list = DisplayList(viewport: PixelSize(width: 0, height: 0))
        var targets: [(id: SurfaceID, target: any VideoTarget)] = []
        var renderer: (any Renderer)?
        /// Nil while everything is left to the main thread.
        var film: (any LateFilm)?
        var start = LateStart()
        var thread: Thread?
        var isEnding = false
        /// Whether the thread sleeps until it is woken.
        var isIdle = false
    }

    private let state = Monitor(State())
    /// How long the thread sleeps if the film runs but its next frame is not decoded yet.
    private static let pollInterval = Duration.milliseconds(8)
    /// The same while it waits for a frame: after a seek, or in another film, the next one may be due before that.
    private static let longestSleep = Duration.milliseconds(100)

    /// Call when `list` is on screen in the window of `renderer`. Of several windows with the film, the last one counts.
    ///
    /// - Parameter list: Swapped for another one, for its storage.
    func show(
        _ list: inout DisplayList, renderer: any Renderer, film: any LateFilm, start: LateStart,
        target: (SurfaceID) -> (any VideoTarget)?
    ) {
        let showsFilm = list.items.contains {
            if case .surface(let placement) = $0 { placement.surface == film.surface } else { false }
        }
        guard showsFilm else { return rest(in: renderer) }
        // What is released here takes `RenderLock`, which comes before the state's lock.
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
                if state.thread == nil, !state.isEnding {
                    state.thread = try? Thread(name: "film") { [self] in run() }
                }
                return state.isIdle
            }
        }
        // It usually wakes in time on its own.
        if wasIdle { state.update { $0.isIdle = false } }
    }

    /// Leaves everything to the main thread, until the next `show`.
    ///
    /// - Parameter renderer: Only if that renderer's window is the one with the film; nil for any.
    func rest(in renderer: (any Renderer)? = nil) {
        RenderLock.withLock {
            state.withLock { state in
                if renderer != nil, state.renderer !== renderer { return }
                (state.film, state.renderer) = (nil, nil)
                state.targets.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Ends the thread and waits for it.
    func end() {
        let thread = RenderLock.withLock {
            state.update { state in
                state.isEnding = true
                (state.film, state.renderer, state.targets) = (nil, nil, [])
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
                // The main thread finds out why.
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
        /// There was no frame, or the display holds frames back.
        case nothing
        /// The window cannot be drawn into any more.
        case failed
    }

    /// Draws the list with the frame that is due.
    private static func draw(_ state: inout State) -> Outcome {
        let now = HostTime.now()
        guard let film = state.film, let renderer = state.renderer, let due = film.nextDue else { return .nothing }
        // The main thread may have been faster.
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
