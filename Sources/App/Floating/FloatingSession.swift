import Floating
import Geometry
import Input
import Layers
import Navigation
import Time
import Windowing

/// One kind of thing while it floats: its window, its life-cycle, and where it was left.
@MainActor final class FloatingSession {
    let kind: FloatingWindowPositions.Kind
    let floating = FloatingController()
    /// Made when it first floats, and kept: what a window system gives it may not give at once.
    private(set) var window: FloatingWindow?
    private unowned let application: Application
    private var answer: (@MainActor (Result<Void, FloatingError>) -> Void)?
    /// What is to float once there is time for it.
    private var waiting: (any FloatingElement)?
    /// Whether it is on the screen, of which nobody was told yet.
    private var hasPresented = false

    init(_ kind: FloatingWindowPositions.Kind, of application: Application) {
        self.kind = kind
        self.application = application
        floating.host = self
        floating.delegate = application
        floating.leavesPageOnStart = kind == .film
    }

    /// Whether it floats, or is about to.
    var isOpen: Bool { floating.state != .idle }

    // MARK: - Its window

    private func makeWindow(
        for element: any FloatingElement, beside main: Window
    ) throws(WindowingError) -> FloatingWindow {
        if let window { return window }
        let frame = FloatingWindow.frame(for: element, area: application.floatingPlaces[kind], beside: main)
        let made = try FloatingWindow(
            sharing: main, renderer: application.renderer, size: frame.frame.size
        ) { [weak application] in application?.videoTarget(for: $0) }
        made.showsFilm = kind == .film
        made.chrome.hasPlay = kind != .clock
        made.chrome.hasPage = kind == .film
        made.onPresent = { [weak self] in self?.presented(at: $0) }
        made.onClose = { [weak self] _ in self?.floating.stop() }
        made.onRestore = { [weak self] _ in self?.floating.restore() }
        made.onTogglePause = { [weak application] in application?.perform(.togglePause, now: $0) }
        made.onKey = { [weak self] in self?.handle($0) }
        made.onScroll = { [weak self] event in
            guard let self, kind != .clock, event.deltaY != 0 else { return }
            application.changeVolume(by: event.deltaY < 0 ? -0.02 : 0.02, now: event.time)
        }
        made.onMove = { [weak self] in self?.remember($0) }
        window = made
        return made
    }

    private func presented(at time: HostTime) {
        if kind == .film { application.filmWasPresented(at: time) }
        hasPresented = answer != nil
    }

    /// Tells that it floats, between two draws: pages may move then.
    func advance() {
        // A window that shows nothing gives no sign.
        if waiting != nil, application.window?.isVisible != true { makeReady() }
        guard hasPresented, let answer else { return }
        hasPresented = false
        self.answer = nil
        answer(.success(()))
    }

    /// The main window has shown a frame, or shows none: there is time until the next.
    func makeReady() {
        guard let element = waiting, let main = application.window else { return }
        guard window != nil else {
            do throws(WindowingError) {
                _ = try makeWindow(for: element, beside: main)
            } catch {
                waiting = nil
                answer?(.failure(.windowFailed(error.description)))
                answer = nil
            }
            // The rest after the next frame: each of the two takes most of a frame's time.
            if main.isVisible { return application.setNeedsTick() }
            return makeReady()
        }
        waiting = nil
        window?.open(
            element, area: application.floatingPlaces[kind], beside: main,
            avoiding: application.sessions.compactMap { $0 === self || !$0.isOpen ? nil : $0.window?.window.area })
        application.showState(now: .now())
        application.windowsChanged()
    }

    private func handle(_ key: KeyEvent) {
        switch key.key {
        case .escape where kind == .film: floating.restore()
        case .escape: floating.stop()
        default: if let command = application.keyMap.command(for: key) { application.perform(command, now: key.time) }
        }
    }

    /// The program ends: where it is now is where it comes back, whoever has put it there.
    func rememberPlace() { if isOpen, let window, window.element != nil { remember(window.window.area) } }

    private func remember(_ area: PixelRect) { application.floatingPlaces[kind] = area }

    /// The button over it says what it would do.
    func show(isPlaying: Bool) {
        let icon = isPlaying ? Icon.pause : .play
        guard let window, window.chrome.play.icon != icon else { return }
        window.chrome.play.icon = icon
        window.setNeedsDisplay()
    }

    /// What floats is called otherwise, or has another shape.
    func elementChanged() { if isOpen { window?.elementChanged() } }
}

extension FloatingSession: FloatingHost {
    var canFloat: Bool { application.window != nil }

    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void) {
        guard let main = application.window else { return answer(.failure(.notPossible)) }
        self.answer = answer
        waiting = element
        if main.isVisible { application.setNeedsTick() } else { makeReady() }
    }

    func close() {
        answer = nil
        waiting = nil
        hasPresented = false
        if let area = window?.close() { remember(area) }
        application.windowsChanged()
    }
}
