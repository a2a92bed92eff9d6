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

/// A window for one element at a time: borderless, above all others and on all desktops; dragged from anywhere, resized
/// from its corners.
///
/// Main thread. The owner adds it to the frame loop (`FrameLoopClient.secondaryWindows`) while it is open. It shares
/// the textures of the main window. When closed, it is kept for later.
@MainActor public final class FloatingWindow: FrameLoopWindow {
    /// The element that is shown; nil while the window is closed.
    public private(set) var element: (any FloatingElement)?
    /// The window itself; hidden while nothing floats.
    public let window: Window
    public let renderer: any Renderer
    /// The buttons over the element.
    public let chrome: FloatingChrome
    /// Called when the user or the system closes it.
    public var onClose: (@MainActor (HostTime) -> Void)?
    /// Called when the user returns the element to its page.
    public var onRestore: (@MainActor (HostTime) -> Void)?
    /// Called when the user presses play or pause.
    public var onTogglePause: (@MainActor (HostTime) -> Void)?
    /// Called for each key; the window itself uses none.
    public var onKey: (@MainActor (KeyEvent) -> Void)?
    /// Called for the wheel over the element.
    public var onScroll: (@MainActor (ScrollEvent) -> Void)?
    /// Called with the time at which a frame has become visible.
    public var onPresent: (@MainActor (HostTime) -> Void)?
    /// Called when the user has moved or resized it, with its area in the window system's units.
    public var onMove: (@MainActor (PixelRect) -> Void)?
    /// Whether it shows new frames of the video.
    public var showsFilm = false

    /// The largest width at which it opens, as a fraction of its screen's.
    public static let largestFraction = 0.45

    private let surfaces: @MainActor (SurfaceID) -> (any VideoTarget)?
    private let root = Layer(content: .color(.black))
    private let arbiter = GestureArbiter()
    private let drag: FloatingWindowDrag
    /// The elements under the pointer.
    private var hovered: [any HoverTarget] = []
    private var isStale = true
    /// Whether it has not shown a frame since it was opened.
    private var isNew = false
    private var layersMove = false

    /// Creates a hidden window.
    ///
    /// - Parameters:
    ///   - main: The window to share textures with. Its context is current afterwards.
    ///   - other: The renderer of `main`.
    ///   - size: The size at which it will open, in points.
    ///   - surfaces: The video frames that elements may show.
    /// - Throws: If the window system or the driver fails.
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
        drag = FloatingWindowDrag(window)
        root.add(chrome.layer)
        root.owner = drag
        connect()
    }

    private func connect() {
        chrome.close.action = { [weak self] in self?.onClose?(.now()) }
        chrome.restore.action = { [weak self] in self?.onRestore?(.now()) }
        chrome.play.action = { [weak self] in self?.onTogglePause?(.now()) }
        drag.onEnd = { [weak self] in self?.onMove?($0) }
        drag.onDoubleClick = { [weak self] now in
            guard let self, chrome.hasPage else { return }
            onRestore?(now)
        }
    }

    // MARK: - The element

    /// Shows `element` and opens the window.
    ///
    /// - Parameters:
    ///   - area: Its last area, in the window system's units; nil for the lower right corner of the screen with `main`.
    ///   - others: Windows to avoid when it opens for the first time.
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

    /// The frame that `open` would give `element`, in points of the screen.
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

    /// The frame when it opens for the first time: limited to a fraction of the screen, and above the other windows.
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

    /// Must be called when the element's title or aspect ratio has changed.
    public func elementChanged() {
        guard let element else { return }
        window.setTitle(element.title)
        window.setAspect(element.aspect)
        drag.aspect = element.aspect
        isStale = true
        guard window.isVisible, let aspect = element.aspect, !aspect.isEmpty else { return }
        // A visible window changes its shape about its center.
        let units = window.unitsPerPoint
        let area = window.area
        let frame = FloatingFrame.restored(
            area.inPoints(units), preferredSize: element.preferredSize, aspect: aspect,
            workAreas: window.workAreas.map { $0.inPoints(units) })
        let isSo = abs(Double(area.width) * aspect.height - Double(area.height) * aspect.width) < 2 * aspect.width
        if !isSo { window.setArea(PixelRect(points: frame.frame, units: units)) }
    }

    /// Hides the window and releases the element, so that a page can take it.
    ///
    /// - Returns: Its area, in the window system's units.
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

    /// Requests a redraw in the next iteration of the loop.
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
        drag.advance(to: now)
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

    /// Updates hover states.
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
    /// Converts to points from the window system's units, `units` per point.
    func inPoints(_ units: Double) -> Rect {
        Rect(
            x: Double(minX) / units, y: Double(minY) / units, width: Double(width) / units,
            height: Double(height) / units)
    }

    /// Converts to the window system's units, `units` per point.
    init(points: Rect, units: Double) {
        self.init(
            rounding: Rect(
                x: points.minX * units, y: points.minY * units, width: points.size.width * units,
                height: points.size.height * units))
    }
}
