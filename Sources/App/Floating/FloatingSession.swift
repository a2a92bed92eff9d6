import GlissadeFloating
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import GlissadeRendering
import GlissadeTime
import GlissadeWindowing

/// Receives the events of floating sessions, and connects the sessions to the rest of the program. Main thread.
@MainActor protocol FloatingSessionOwner: AnyObject {
    func session(_ session: FloatingSession, didReceive key: KeyEvent)
    /// Called when the user has scrolled over the session's window.
    func session(_ session: FloatingSession, didScroll event: ScrollEvent)
    func sessionTogglesPause(_ session: FloatingSession, now: HostTime)
    /// Called after the session's window was opened or closed.
    func sessionWindowChanged(_ session: FloatingSession)
    /// Called when the session needs another iteration of the frame loop.
    func sessionNeedsTick(_ session: FloatingSession)
    /// Returns the areas of the other floating windows, in the window system's units. The session's window avoids these
    /// areas when it opens without a stored position.
    func areasToAvoid(by session: FloatingSession) -> [PixelRect]
}

/// The floating window of one kind, and the controller that shows an element in that window. Main thread.
@MainActor final class FloatingSession {
    /// The objects that all sessions share.
    struct Context {
        let main: MainWindow
        let renderer: any Renderer
        let positions: FloatingWindowPositions
        let surfaces: @MainActor (SurfaceID) -> (any VideoTarget)?
    }

    let kind: FloatingWindowPositions.Kind
    let floating = FloatingController()
    /// The window; nil until its first use. The window is kept after it has been closed, because some window systems do
    /// not release a window at once.
    private(set) var window: FloatingWindow?
    private let context: Context
    private weak var owner: (any FloatingSessionOwner)?
    private var answer: (@MainActor (Result<Void, FloatingError>) -> Void)?
    /// The element whose window is to be opened between two frames; nil if there is none.
    private var waiting: (any FloatingElement)?
    /// Whether the newly opened window has shown a frame and `answer` must now be called.
    private var hasPresented = false

    init(_ kind: FloatingWindowPositions.Kind, context: Context, owner: any FloatingSessionOwner & FloatingDelegate) {
        self.kind = kind
        self.context = context
        self.owner = owner
        floating.host = self
        floating.delegate = owner
        floating.leavesPageOnStart = kind == .film
    }

    /// Whether the window is open, being opened or being closed.
    var isOpen: Bool { floating.state != .idle }

    /// Whether the window is being opened or closed.
    var isTransitioning: Bool { floating.state == .starting || floating.state == .stopping }

    /// Closes the window. If it shows the video, the video returns to the player's page.
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
        hasPresented = answer != nil
    }

    /// Calls `answer` once the newly opened window has shown a frame. Must be called between two frames, since `answer`
    /// may start a page transition.
    func advance() {
        // Normally `openWaiting` is called after the main window's next frame, but an invisible main window presents
        // none.
        if waiting != nil, !context.main.isVisible { openWaiting() }
        guard hasPresented, let answer else { return }
        hasPresented = false
        self.answer = nil
        answer(.success(()))
    }

    /// Creates the window for the waiting element or, if the window already exists, opens the window. Each of these two
    /// steps takes most of a frame's time. While the main window is visible, each call carries out only one step.
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

    /// Stores the window's area if the window is open. Called when the program ends or changes the renderer.
    func rememberPosition() { if isOpen, let window, window.element != nil { remember(window.window.area) } }

    private func remember(_ area: PixelRect) { context.positions[kind] = area }

    /// Updates the icon of the window's play button.
    func show(isPlaying: Bool) {
        let icon = isPlaying ? Icon.pause : .play
        guard let window, window.chrome.play.icon != icon else { return }
        window.chrome.play.icon = icon
        window.setNeedsDisplay()
    }

    /// Updates the window, if it is open, after the element's title or aspect ratio has changed.
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
