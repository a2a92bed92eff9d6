import Floating
import Geometry
import Input
import Layers
import Navigation
import Rendering
import Time
import Windowing

/// The owner of a floating session. Main thread.
@MainActor protocol FloatingSessionOwner: AnyObject {
    func session(_ session: FloatingSession, didPresentAt time: HostTime)
    func session(_ session: FloatingSession, didReceive key: KeyEvent)
    /// The user scrolled over the window.
    func session(_ session: FloatingSession, didScroll event: ScrollEvent)
    func sessionTogglesPause(_ session: FloatingSession, now: HostTime)
    /// The session's window was opened or closed.
    func sessionWindowChanged(_ session: FloatingSession)
    /// The session has work to do between two frames.
    func sessionNeedsTick(_ session: FloatingSession)
    /// The areas of the other floating windows.
    func areasToAvoid(by session: FloatingSession) -> [PixelRect]
}

/// One kind of floating window: its element, its window and where the user left it. Main thread.
@MainActor final class FloatingSession {
    /// Shared by all sessions.
    struct Context {
        let main: MainWindow
        let renderer: any Renderer
        let positions: FloatingWindowPositions
        let surfaces: @MainActor (SurfaceID) -> (any VideoTarget)?
    }

    let kind: FloatingWindowPositions.Kind
    let floating = FloatingController()
    /// Made at first use and kept, as some window systems do not release a window at once.
    private(set) var window: FloatingWindow?
    private let context: Context
    private weak var owner: (any FloatingSessionOwner)?
    private var answer: (@MainActor (Result<Void, FloatingError>) -> Void)?
    /// The element that waits for its window, which is opened between two frames.
    private var waiting: (any FloatingElement)?
    /// Whether the window is on screen but `answer` has not been told yet.
    private var hasPresented = false

    init(_ kind: FloatingWindowPositions.Kind, context: Context, owner: any FloatingSessionOwner & FloatingDelegate) {
        self.kind = kind
        self.context = context
        self.owner = owner
        floating.host = self
        floating.delegate = owner
        floating.leavesPageOnStart = kind == .film
    }

    /// Whether it floats or is about to.
    var isOpen: Bool { floating.state != .idle }

    /// Whether its window is being opened or closed.
    var isTransitioning: Bool { floating.state == .starting || floating.state == .stopping }

    /// Returns to the video's page; closes other windows.
    func leave() {
        if kind == .film { floating.restore() } else { floating.stop() }
    }

    // MARK: - The window

    private func makeWindow(
        for element: any FloatingElement, beside main: Window
    ) throws(WindowingError) -> FloatingWindow {
        if let window { return window }
        let frame = FloatingWindow.frame(for: element, area: context.positions[kind], beside: main)
        let made = try FloatingWindow(
            sharing: main, renderer: context.renderer, size: frame.frame.size, surfaces: context.surfaces)
        made.showsFilm = kind == .film
        made.chrome.hasPlay = kind != .clock
        made.chrome.hasPage = kind == .film
        made.onPresent = { [weak self] in self?.presented(at: $0) }
        made.onClose = { [weak self] _ in self?.floating.stop() }
        made.onRestore = { [weak self] _ in self?.floating.restore() }
        made.onTogglePause = { [weak self] now in self.map { $0.owner?.sessionTogglesPause($0, now: now) } }
        made.onKey = { [weak self] key in self.map { $0.owner?.session($0, didReceive: key) } }
        made.onScroll = { [weak self] event in self.map { $0.owner?.session($0, didScroll: event) } }
        made.onMove = { [weak self] in self?.remember($0) }
        window = made
        return made
    }

    private func presented(at time: HostTime) {
        owner?.session(self, didPresentAt: time)
        hasPresented = answer != nil
    }

    /// Reports that the window is on screen. Called between two frames, as pages may move then.
    func advance() {
        // A main window that is not visible presents no frames.
        if waiting != nil, !context.main.isVisible { openWaiting() }
        guard hasPresented, let answer else { return }
        hasPresented = false
        self.answer = nil
        answer(.success(()))
    }

    /// Makes the window or opens it. Each takes most of a frame's time, so they happen after different frames.
    func openWaiting() {
        guard let element = waiting, let main = context.main.window else { return }
        guard window != nil else {
            do throws(WindowingError) {
                _ = try makeWindow(for: element, beside: main)
            } catch {
                waiting = nil
                answer?(.failure(.windowFailed(error.description)))
                answer = nil
            }
            if main.isVisible { return owner?.sessionNeedsTick(self) ?? () }
            return openWaiting()
        }
        waiting = nil
        window?.open(
            element, area: context.positions[kind], beside: main, avoiding: owner?.areasToAvoid(by: self) ?? [])
        owner?.sessionWindowChanged(self)
    }

    /// Stores the position of an open window when the program ends.
    func rememberPosition() { if isOpen, let window, window.element != nil { remember(window.window.area) } }

    private func remember(_ area: PixelRect) { context.positions[kind] = area }

    /// Sets the icon of the play button.
    func show(isPlaying: Bool) {
        let icon = isPlaying ? Icon.pause : .play
        guard let window, window.chrome.play.icon != icon else { return }
        window.chrome.play.icon = icon
        window.setNeedsDisplay()
    }

    /// Notes that the element's title or shape has changed.
    func elementChanged() { if isOpen { window?.elementChanged() } }
}

extension FloatingSession: FloatingHost {
    var canFloat: Bool { context.main.canFloat }

    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void) {
        guard let main = context.main.window else { return answer(.failure(.notPossible)) }
        self.answer = answer
        waiting = element
        if main.isVisible { owner?.sessionNeedsTick(self) } else { openWaiting() }
    }

    func close() {
        answer = nil
        waiting = nil
        hasPresented = false
        if let area = window?.close() { remember(area) }
        owner?.sessionWindowChanged(self)
    }
}
