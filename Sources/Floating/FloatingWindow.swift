import Controls
public import Gestures
public import Motion
public import Navigation
public import Rendering
public import Stage
public import Windowing

/// A window of its own for one element: undecorated, above all others, on all desktops; dragged from anywhere, resized
/// from its corners.
///
/// Main thread. It is a pane of a frame loop: whoever runs that gives it to the loop (`FrameClient.panes`) for as long as
/// it is open. The textures that its element shows are those of the window it shares them with.
@MainActor public final class FloatingWindow: FramePane {
    public let element: any FloatingElement
    public let window: Window
    public let compositor: Compositor
    public let chrome: FloatingChrome
    /// Called where the person, or the system, wants it closed.
    public var onClose: (@MainActor (HostTime) -> Void)?
    /// Called where the person wants the element back on its page.
    public var onRestore: (@MainActor (HostTime) -> Void)?
    public var onTogglePause: (@MainActor (HostTime) -> Void)?
    /// A key that means nothing to the window itself.
    public var onKey: (@MainActor (KeyEvent) -> Void)?
    /// The wheel, over the element.
    public var onScroll: (@MainActor (ScrollEvent) -> Void)?
    /// Called when it first is on the screen.
    public var onFirstPresent: (@MainActor (HostTime) -> Void)?
    /// Whether a new frame of the film is to be seen in it.
    public var showsFilm = false
    /// Its place, in the window system's units, when it was last where a person wants it.
    public private(set) var area: PixelRect?
    /// Called when a person has moved or resized it.
    public var onMove: (@MainActor (PixelRect) -> Void)?

    private let surfaces: @MainActor (SurfaceID) -> SurfaceTexture?
    private let root = Layer(content: .color(.black))
    private let arbiter = GestureArbiter()
    private let hand: FloatingHand
    private var hovered: [any Hovering] = []
    private var isStale = true
    private var layersMove = false
    private var hasPresented = false

    /// Opens a window for `element`; it is not shown yet.
    ///
    /// - Parameters:
    ///   - area: where it is to be, in the window system's units; nil takes the lower right corner of the screen that
    ///     `main` lies on.
    ///   - main: whose textures it shares.
    ///   - compositor: that of `main`.
    ///   - surfaces: the pictures that the element may show.
    /// - Throws: where the window system or the driver refuses.
    public init(
        _ element: any FloatingElement, area: PixelRect?, sharing main: Window, compositor other: Compositor,
        chrome style: FloatingChrome.Style = .init(), surfaces: @escaping @MainActor (SurfaceID) -> SurfaceTexture?
    ) throws(WindowingError) {
        self.element = element
        self.surfaces = surfaces
        chrome = FloatingChrome(style: style)
        let limits = FloatingFrame.Limits(aspect: element.aspect, unitsPerPoint: main.unitsPerPoint)
        let place = limits.place(
            remembered: area, preferred: element.preferredSize, screens: [main.workArea].compactMap(\.self))
        var options = WindowOptions(title: element.title, size: element.preferredSize)
        options.isBorderless = true
        options.isFloating = true
        options.isOnAllDesktops = true
        options.takesFocus = false
        options.aspect = element.aspect
        options.minimumSize = FloatingFrame.minimumSize
        window = try Window(options, sharing: main)
        window.makeCurrent()
        window.setSwapInterval(0)
        compositor = Compositor(sharing: other)
        if let place { window.setArea(place) }
        self.area = place
        hand = FloatingHand(window, limits: limits)
        root.add(element.layer)
        root.add(chrome.layer)
        root.owner = hand
        connect()
    }

    private func connect() {
        element.onNeedsDisplay = { [weak self] in self?.isStale = true }
        chrome.close.action = { [weak self] in self?.onClose?(.now()) }
        chrome.restore.action = { [weak self] in self?.onRestore?(.now()) }
        chrome.play.action = { [weak self] in self?.onTogglePause?(.now()) }
        hand.onEnd = { [weak self] area in
            self?.area = area
            self?.onMove?(area)
        }
        hand.onDoubleClick = { [weak self] now in
            guard let self, chrome.hasPage else { return }
            onRestore?(now)
        }
    }

    public func show() {
        isStale = true
        window.show()
    }

    public func hide() { window.hide() }

    /// Lets go of the element, for another window or a page to take.
    public func release() {
        element.onNeedsDisplay = nil
        element.layer.removeFromSuperlayer()
        window.hide()
    }

    /// Has it drawn with the next round of the loop.
    public func setNeedsDisplay() { isStale = true }

    // MARK: - FramePane

    public var surface: any FrameSurface { window }

    public var isAnimating: Bool { layersMove || element.isAnimating }
    public private(set) var needsRedraw = true

    public func nextWake(now: HostTime) -> HostTime? {
        var wake = chrome.nextWake
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        consider(element.nextWake(now: now))
        consider(arbiter.nextDeadline)
        return wake
    }

    public func advance(to now: HostTime) {
        arbiter.advance(to: now)
        hand.advance(to: now)
        if chrome.advance(to: now) { isStale = true }
        if element.advance(to: now) { isStale = true }
        if isStale { needsRedraw = true }
    }

    public func wantsDraw(hasNewFrame: Bool) -> Bool {
        isStale || needsRedraw || layersMove || element.isAnimating || (hasNewFrame && showsFilm)
    }

    public func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        isStale = false
        needsRedraw = false
        let size = window.size
        root.frame = Rect(origin: .zero, size: size)
        element.layer.frame = root.frame
        element.layout(size: size, scale: scale)
        chrome.layout(size)
        layersMove = root.advance(to: LocalTime(time))
        root.flatten(scale: scale, at: LocalTime(time), into: &list)
    }

    public func texture(for surface: SurfaceID) -> SurfaceTexture? { surfaces(surface) }

    public func didPresent(at time: HostTime) {
        guard !hasPresented else { return }
        hasPresented = true
        onFirstPresent?(time)
    }

    // MARK: - Events

    public func handle(_ event: WindowEvent, now: HostTime) {
        switch event {
        case .input(let input): handle(input, now: now)
        case .resized, .scaleChanged, .needsRedraw: isStale = true
        case .focusChanged(let isFocused): if !isFocused { arbiter.cancelAll(now: now) }
        case .iconified(let isIconified):
            isStale = true
            if isIconified { arbiter.cancelAll(now: now) }
        case .closeRequested: onClose?(now)
        case .moved: if !hand.isActive { area = window.area }
        case .filesDropped, .fullscreenChanged: break
        }
    }

    private func handle(_ input: InputEvent, now: HostTime) {
        switch input {
        case .key(let key): if !arbiter.handle(input, path: { _ in [] }) { onKey?(key) }
        case .scroll(let event): onScroll?(event)
        case .pointer(let event):
            hand.latest = event.position
            switch event.phase {
            case .left: if chrome.hide(now: now) { isStale = true }
            case .moved, .entered, .pressed: if chrome.wake(now: now) { isStale = true }
            case .released, .cancelled: break
            }
            arbiter.handle(input) { point in
                self.root.path(to: point, at: LocalTime(now)).compactMap { $0.owner as? any GestureElement }
            }
            follow(event)
        }
    }

    /// What is under the pointer looks so.
    private func follow(_ event: PointerEvent) {
        let isOver = event.phase != .left && !arbiter.isTracking
        let path = isOver ? root.path(to: event.position, at: LocalTime(event.time)) : []
        let found = path.compactMap { $0.owner as? any Hovering }
        for old in hovered where !found.contains(where: { $0 === old }) { old.hover(nil, now: event.time) }
        for element in found { element.hover(event.position, now: event.time) }
        if !found.isEmpty || !hovered.isEmpty { isStale = true }
        hovered = found
    }
}
