import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// Routes key, pointer and scroll events to pages, gestures and commands. Main thread.
@MainActor final class InputRouter: Advancing {
    private let arbiter: GestureArbiter
    private let pages: Pages
    private let settings: SettingsController
    private let commands: Commands
    private let layoutRotation: LayoutRotation
    /// The target of horizontal drags on a fullscreen video above the page stack; nil if there is none.
    var rowDrag: (any GestureTarget)?
    private var pointer = PointerFollower()
    private var sampleTime = FrameSampleTime()
    /// When events were last read.
    private var readTime = HostTime(nanoseconds: 0)

    /// - Parameters:
    ///   - layoutRotation: Converts the positions of input from window points to layout points.
    ///   - log: Receives a line of text for each state change of a gesture recognizer; nil for no log.
    init(
        pages: Pages, settings: SettingsController, commands: Commands, layoutRotation: LayoutRotation,
        log: ((String) -> Void)?
    ) {
        arbiter = GestureArbiter(log: log)
        self.pages = pages
        self.settings = settings
        self.commands = commands
        self.layoutRotation = layoutRotation
    }

    func nextWake(now: HostTime) -> HostTime? { arbiter.nextDeadline }

    /// Handles the gesture deadlines that have passed by `now`. Call after handling the events that have arrived by
    /// `now`.
    func advance(to now: HostTime) -> Bool {
        readTime = now
        arbiter.advance(to: now)
        return false
    }

    /// Moves dragged content to the pointer's position at the sample time (`FrameSampleTime`) of a frame that becomes
    /// visible at `time`. Call before laying out that frame.
    func resample(visibleAt time: HostTime) {
        guard arbiter.isTracking else { return sampleTime = FrameSampleTime() }
        let sample = sampleTime.next(visibleAt: time, eventsReadAt: readTime)
        if arbiter.resample(at: sample) { pages.setNeedsTick() }
    }

    /// Cancels all gestures, for instance when the window loses the focus.
    func cancelGestures(now: HostTime) { arbiter.cancelAll(now: now) }

    /// Cancels the gestures in progress and ends hovering, because the layout has been rotated or rotated back.
    func layoutRotated(now: HostTime) {
        if arbiter.isBusy { cancelGestures(now: now) }
        endHovering(now: now)
        // The resting pointer has another position in the window.
        pointer = PointerFollower()
    }

    func handle(_ input: InputEvent, now: HostTime) {
        switch input {
        case .key(let key): handle(key, now: now)
        case .pointer(let original):
            let event = conversion(at: original.time).layout(original)
            if let command = Self.command(of: event.button) {
                if event.phase == .pressed { commands.perform(command, now: event.time) }
                return
            }
            if event.phase == .pressed { pages.playerPage?.pointerWasPressed(now: event.time) }
            arbiter.handle(.pointer(event)) { targets(at: $0, now: event.time) }
            follow(event, windowPosition: original.position)
        case .scroll(let original):
            let event = conversion(at: original.time).layout(original)
            arbiter.handle(.scroll(event)) { targets(at: $0, now: event.time) }
            pages.setNeedsTick()
        }
        if pages.stack.isTransitioning { pages.setNeedsTick() }
    }

    /// The command of the buttons at the side of a mouse, as in a browser; nil for other buttons.
    private static func command(of button: PointerEvent.Button?) -> Command? {
        switch button {
        case .other(3): .back
        case .other(4): .goToPlayer
        default: nil
        }
    }

    /// Returns the conversion of window points to layout points for an event.
    private func conversion(at time: HostTime) -> LayoutRotation.Conversion {
        // Ends a scroll whose pause is over.
        arbiter.advance(to: time)
        layoutRotation.prepareInput(isBusy: arbiter.isBusy)
        return layoutRotation.input
    }

    /// Returns the gesture targets under a point, innermost first. While a menu of the player's page is open, returns
    /// only the menu's elements.
    private func targets(at point: Point, now: HostTime) -> [any GestureTarget] {
        if pages.top === pages.playerPage, let targets = pages.playerPage?.menuElements(at: point, now: now) {
            return targets
        }
        if let row = pages.fullscreenRow {
            let targets = row.layer.path(to: point, at: LocalTime(now)).compactMap { $0.owner as? any GestureTarget }
            return targets + (rowDrag.map { [$0] } ?? [])
        }
        return pages.stack.elements(at: point, now: now)
    }

    // MARK: - Keys

    /// Offers a key to the top page's menu or focused control. If neither uses the key, performs the command bound to
    /// the key.
    private func handle(_ key: KeyEvent, now: HostTime) {
        let page = pages.isTopSettled ? pages.top as? any ProgramPage : nil
        if let page, page.handle(key) { return pages.setNeedsTick() }
        guard let command = settings.keyMap.command(for: key, in: page?.keyContexts ?? []) else { return }
        if command == .leave, cancelsGesture(now: key.time) { return pages.setNeedsTick() }
        commands.perform(command, now: now)
    }

    /// Cancels the gesture in progress. Returns false if no gesture is in progress.
    private func cancelsGesture(now: HostTime) -> Bool {
        arbiter.handle(.key(KeyEvent(key: .escape, time: now))) { _ in [] }
    }

    // MARK: - The pointer

    /// Updates which elements the pointer hovers over, and shows the player's controls if the pointer has moved. A
    /// finger hovers over nothing.
    ///
    /// - Parameters:
    ///   - event: The event, in layout points.
    ///   - position: The pointer's position in the window. It tells a movement of the pointer from one of the layout.
    private func follow(_ event: PointerEvent, windowPosition position: Point) {
        if event.pointer != 0 {
            setPointedControl(nil, now: event.time)
            if pointer.follow(nil, elements: [], now: event.time) { pages.setNeedsTick() }
            return
        }
        var hitTime = event.time
        if event.phase == .moved || event.phase == .entered, pointer.hasMoved(to: position), pages.isPlayerOnTop,
            pages.playerPage?.wakeControls(now: event.time) == true
        {
            // The controls are still transparent, but the pointer is already over them.
            hitTime = hitTime + PlayerControls.fadeIn
            pages.setNeedsTick()
        }
        let isOver = event.phase != .left && !arbiter.isTracking && pages.isTopSettled
        let targets = isOver ? targets(at: event.position, now: hitTime) : []
        let control = pages.isPlayerOnTop ? targets.lazy.compactMap { $0 as? any Focusable }.first : nil
        setPointedControl(control, now: event.time)
        if pointer.follow(isOver ? event.position : nil, elements: targets, now: event.time) { pages.setNeedsTick() }
    }

    /// Tells the player's page which of its controls is under the pointer; nil if none is. They stay visible meanwhile.
    private func setPointedControl(_ control: (any Focusable)?, now: HostTime) {
        guard let page = pages.playerPage, page.controls.pointed !== control else { return }
        page.controls.pointed = control
        page.visibility.set(.pointer, page.controls.isPointedAt, now: now)
        pages.setNeedsTick()
    }

    /// Ends hovering. Called when another page comes to the top.
    func endHovering(now: HostTime) {
        setPointedControl(nil, now: now)
        if pointer.follow(nil, elements: [], now: now) { pages.setNeedsTick() }
    }
}
