import Animation
import Controls
public import Geometry
import Gestures
public import Input
public import Layers
public import Navigation
public import Presentation
public import Rendering
public import Time
public import Windowing

/// A window of its own for one element at a time: undecorated, above all others, on all desktops; dragged from anywhere,
/// resized from its corners.
///
/// Main thread. It is a pane of a frame loop: whoever runs that gives it to the loop (`FrameLoopClient.secondaryWindows`) for as long as
/// it is open. The textures that its element shows are those of the window it shares them with. Closed, it is kept for
/// the next time.
@MainActor public final class FloatingWindow: FrameLoopWindow {
    /// The element that is shown; nil while the window is closed.
    public private(set) var element: (any FloatingElement)?
    /// The window itself; hidden while nothing floats.
    public let window: Window
    public let renderer: any Renderer
    /// The buttons over the element.
    public let chrome: FloatingChrome
    /// Called where the person, or the system, wants it closed.
    public var onClose: (@MainActor (HostTime) -> Void)?
    /// Called where the person wants the element back on its page.
    public var onRestore: (@MainActor (HostTime) -> Void)?
    /// Called when the user presses play or pause.
    public var onTogglePause: (@MainActor (HostTime) -> Void)?
    /// A key: none means anything to the window itself.
    public var onKey: (@MainActor (KeyEvent) -> Void)?
    /// The wheel, over the element.
    public var onScroll: (@MainActor (ScrollEvent) -> Void)?
    /// Called when something of it is on the screen since a time.
    public var onPresent: (@MainActor (HostTime) -> Void)?
    /// Called when a person has moved or resized it, with its place in the window system's units.
    public var onMove: (@MainActor (PixelRect) -> Void)?
    /// Whether a new frame of the film is to be seen in it.
    public var showsFilm = false

    /// It opens no wider than this share of its screen.
    public static let largestFraction = 0.45

    private let surfaces: @MainActor (SurfaceID) -> (any VideoTarget)?
    private let root = Layer(content: .color(.black))
    private let arbiter = GestureArbiter()
    private let hand: FloatingWindowDrag
    /// What the pointer is over.
    private var hovered: [any HoverTarget] = []
    private var isStale = true
    /// Whether it has shown nothing yet since it was opened.
    private var isNew = false
    private var layersMove = false

    /// Makes a window; it is not on the screen yet.
    ///
    /// - Parameters:
    ///   - main: whose textures it shares. Its context is current on return.
    ///   - other: the renderer of `main`.
    ///   - size: in which it is going to open, in points.
    ///   - surfaces: the pictures that elements may show.
    /// - Throws: where the window system or the driver refuses.
    public init(
        sharing main: Window, renderer other: any Renderer, size: Size = FloatingFrame.minimumSize,
        chrome style: FloatingChrome.Style = .init(),
        surfaces: @escaping @MainActor (SurfaceID) -> (any VideoTarget)?
    ) throws(WindowingError) {
        self.surfaces = surfaces
        chrome = FloatingChrome(style: style)
        var options = WindowOptions(size: size.isEmpty ? FloatingFrame.minimumSize : size)
        options.isBorderless = true
        options.isFloating = true
        options.isOnAllDesktops = true
        options.takesFocus = false
        options.minimumSize = FloatingFrame.minimumSize
        defer { main.makeCurrent() }
        window = try Window(options, sharing: main)
        window.makeCurrent()
        // Only one window may wait for the display.
        window.setSwapInterval(0)
        renderer = other.makeSibling(output: window.output)
        hand = FloatingWindowDrag(window)
        root.add(chrome.layer)
        root.owner = hand
        connect()
    }

    private func connect() {
        chrome.close.action = { [weak self] in self?.onClose?(.now()) }
        chrome.restore.action = { [weak self] in self?.onRestore?(.now()) }
        chrome.play.action = { [weak self] in self?.onTogglePause?(.now()) }
        hand.onEnd = { [weak self] in self?.onMove?($0) }
        hand.onDoubleClick = { [weak self] now in
            guard let self, chrome.hasPage else { return }
            onRestore?(now)
        }
    }

    // MARK: - What floats

    /// Shows `element` in it, and brings it on the screen.
    ///
    /// - Parameters:
    ///   - area: where it was last, in the window system's units; nil takes the lower right corner of the screen that
    ///     `main` lies on.
    ///   - others: windows that it is not to cover where it opens for the first time.
    public func open(
        _ element: any FloatingElement, area: PixelRect?, beside main: Window, avoiding others: [PixelRect] = []
    ) {
        self.element = element
        root.insert(element.layer, at: 0)
        element.onNeedsDisplay = { [weak self] in self?.isStale = true }
        let frame = Self.frame(for: element, area: area, beside: main, avoiding: others)
        elementChanged()
        window.setArea(PixelRect(points: frame.frame, units: main.unitsPerPoint))
        isStale = true
        isNew = true
        window.show()
    }

    /// Where `element` is going to be, as for `open`; in points of the screen.
    public static func frame(
        for element: any FloatingElement, area: PixelRect?, beside main: Window, avoiding others: [PixelRect] = []
    ) -> FloatingFrame {
        let units = main.unitsPerPoint
        let screens = main.workAreas.map { $0.inPoints(units) }
        return area.map {
            FloatingFrame.restored(
                $0.inPoints(units), preferredSize: element.preferredSize, aspect: element.aspect, workAreas: screens)
        } ?? first(element, on: screens.first ?? .zero, avoiding: others.map { $0.inPoints(units) })
    }

    /// Where it opens the first time: not too large for a small screen, and above those that are there.
    private static func first(
        _ element: any FloatingElement, on screen: Rect, avoiding others: [Rect]
    ) -> FloatingFrame {
        var size = element.preferredSize
        let fraction = screen.size.width * largestFraction / max(size.width, 1)
        if fraction > 0, fraction < 1 { size = Size(width: size.width * fraction, height: size.height * fraction) }
        var frame = FloatingFrame.initial(preferredSize: size, aspect: element.aspect, workArea: screen)
        for other in others.sorted(by: { $0.minY > $1.minY }) {
            let isOver =
                frame.frame.minX < other.maxX && frame.frame.maxX > other.minX
                && frame.frame.minY < other.maxY && frame.frame.maxY > other.minY
            let rise = frame.frame.maxY - other.minY + FloatingFrame.margin / 2
            if isOver, frame.frame.minY - rise >= screen.minY {
                frame = frame.moved(by: Point(x: 0, y: -rise))
            }
        }
        return frame
    }

    /// The element is called otherwise, or has another shape.
    public func elementChanged() {
        guard let element else { return }
        window.setTitle(element.title)
        window.setAspect(element.aspect)
        hand.aspect = element.aspect
        isStale = true
        guard window.isVisible, let aspect = element.aspect, !aspect.isEmpty else { return }
        // One that is on the screen takes the new shape about its middle.
        let units = window.unitsPerPoint
        let area = window.area
        let frame = FloatingFrame.restored(
            area.inPoints(units), preferredSize: element.preferredSize, aspect: aspect,
            workAreas: window.workAreas.map { $0.inPoints(units) })
        let isSo = abs(Double(area.width) * aspect.height - Double(area.height) * aspect.width) < 2 * aspect.width
        if !isSo { window.setArea(PixelRect(points: frame.frame, units: units)) }
    }

    /// Takes it off the screen, and lets go of the element, for a page to take.
    ///
    /// - Returns: where it was, in the window system's units.
    @discardableResult public func close() -> PixelRect? {
        guard let element else { return nil }
        let area = window.area
        arbiter.cancelAll(now: .now())
        chrome.reset()
        element.onNeedsDisplay = nil
        element.layer.removeFromSuperlayer()
        self.element = nil
        window.hide()
        return area
    }

    /// Has it drawn with the next round of the loop.
    public func setNeedsDisplay() { isStale = true }

    // MARK: - FrameLoopWindow

    public var surface: any FrameSurface { window }
    public var isAnimating: Bool { layersMove || element?.isAnimating == true }
    public var needsRedraw: Bool { isStale }

    public func nextWake(now: HostTime) -> HostTime? {
        var wake = chrome.nextWake
        func consider(_ time: HostTime?) { if let time { wake = wake.map { min($0, time) } ?? time } }
        consider(element?.nextWake(now: now))
        consider(arbiter.nextDeadline)
        return wake
    }

    public func advance(to now: HostTime) {
        arbiter.advance(to: now)
        hand.advance(to: now)
        if chrome.advance(to: now) { isStale = true }
        if element?.advance(to: now) == true { isStale = true }
    }

    public func wantsDraw(hasNewFrame: Bool) -> Bool {
        isStale || isAnimating || (hasNewFrame && showsFilm)
    }

    public func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        isStale = false
        let size = window.size
        root.frame = Rect(origin: .zero, size: size)
        if let element {
            element.layer.frame = root.frame
            element.layout(size: size, scale: scale)
        }
        chrome.layout(size)
        layersMove = root.advance(to: LocalTime(time))
        root.flatten(scale: scale, at: LocalTime(time), into: &list)
    }

    public func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { surfaces(surface) }
    public func didPresent(at time: HostTime) {
        // Its first frame may have been drawn before it had its size.
        if isNew { isStale = true }
        isNew = false
        onPresent?(time)
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
        case .moved, .filesDropped, .fullscreenChanged: break
        }
    }

    private func handle(_ input: InputEvent, now: HostTime) {
        switch input {
        case .key(let key): if !arbiter.handle(input, path: { _ in [] }) { onKey?(key) }
        case .scroll(let event): onScroll?(event)
        case .pointer(let event):
            switch event.phase {
            case .left: if chrome.hide(now: now) { isStale = true }
            case .moved, .entered, .pressed: if chrome.wake(now: now) { isStale = true }
            case .released, .cancelled: break
            }
            arbiter.handle(input) { [root] point in
                root.path(to: point, at: LocalTime(now)).compactMap { $0.owner as? any GestureTarget }
            }
            follow(event)
        }
    }

    /// What is under the pointer looks so.
    private func follow(_ event: PointerEvent) {
        let isOver = event.phase != .left && !arbiter.isTracking
        let path = isOver ? root.path(to: event.position, at: LocalTime(event.time)) : []
        let found = path.compactMap { $0.owner as? any HoverTarget }
        for old in hovered where !found.contains(where: { $0 === old }) { old.hover(nil, now: event.time) }
        for element in found { element.hover(event.position, now: event.time) }
        if !found.isEmpty || !hovered.isEmpty { isStale = true }
        hovered = found
    }
}

extension PixelRect {
    /// In points, of which each is so many of the window system's units.
    func inPoints(_ units: Double) -> Rect {
        Rect(
            x: Double(minX) / units, y: Double(minY) / units, width: Double(width) / units,
            height: Double(height) / units)
    }

    /// In the window system's units.
    init(points: Rect, units: Double) {
        self.init(
            rounding: Rect(
                x: points.minX * units, y: points.minY * units, width: points.size.width * units,
                height: points.size.height * units))
    }
}
