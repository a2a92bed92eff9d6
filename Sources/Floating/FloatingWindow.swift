import GlissadeAnimation
import GlissadeControls
public import GlissadeGeometry
import GlissadeGestures
public import GlissadeInput
public import GlissadeLayers
public import GlissadeNavigation
public import GlissadePresentation
public import GlissadeRendering
public import GlissadeTime
public import GlissadeWindowing

/// A borderless window for one floating element, above all other windows and on all desktops.
///
/// The user drags a corner to resize the window, and any other part to move it. The window shares textures with the
/// main window. After `close`, the window can be opened again with a different element.
///
/// Main thread. The owner adds the window to the frame loop (`FrameLoopClient.secondaryWindows`) while the window is
/// open.
@MainActor public final class FloatingWindow: FrameLoopWindow {
    /// The element in the window; nil while the window is closed.
    public private(set) var element: (any FloatingElement)?
    /// The underlying window of the window system; hidden while there is no element.
    public let window: Window
    /// The renderer that draws the window.
    public let renderer: any Renderer
    /// The controls over the element.
    public let chrome: FloatingChrome
    /// Called when the user clicks the close button, or when the window manager asks to close the window. The window
    /// stays open until `close` is called.
    public var onClose: (@MainActor (HostTime) -> Void)?
    /// Called when the user clicks the restore button or double-clicks the window, to return the element to its page.
    public var onRestore: (@MainActor (HostTime) -> Void)?
    /// Called when the user clicks the play button, to play or pause.
    public var onTogglePause: (@MainActor (HostTime) -> Void)?
    /// Called for each key event that no gesture has used.
    public var onKey: (@MainActor (KeyEvent) -> Void)?
    /// Called for each scroll event over the window.
    public var onScroll: (@MainActor (ScrollEvent) -> Void)?
    /// Called after a frame has been presented, with the estimated time at which the frame becomes visible.
    public var onPresent: (@MainActor (HostTime) -> Void)?
    /// Called with the window's area, in the window system's units, when the user has moved or resized the window.
    public var onMove: (@MainActor (PixelRect) -> Void)?
    /// Whether the element shows the video. If true, the window is redrawn for each new video frame.
    public var showsFilm = false

    /// The maximum width of a window that opens for the first time, as a fraction of the work area's width.
    public static let largestFraction = 0.45

    private let surfaces: @MainActor (SurfaceID) -> (any VideoTarget)?
    private let root = Layer(content: .color(.black))
    private let arbiter = GestureArbiter()
    private let drag: FloatingWindowDrag
    /// The hover targets under the pointer; empty while the primary button is pressed.
    private var hovered: [any HoverTarget] = []
    private var isStale = true
    /// When the window was opened; nil once it has shown a frame while it was mapped.
    private var openedAt: HostTime?
    /// If the window manager has not mapped the window for this long, the first picture is removed.
    private static let mappingLimit = Duration.seconds(1)
    private var layersMove = false

    /// Creates a hidden window.
    ///
    /// - Parameters:
    ///   - main: The main window, which shares its textures. The main window's rendering context is current when the
    ///     initializer returns or throws.
    ///   - other: The renderer of `main`.
    ///   - size: The initial size, in points. Pass the size at which the window will open. An empty size is replaced by
    ///     the minimum size.
    ///   - surfaces: Returns the target that holds the content of a surface; nil if there is none.
    /// - Throws: `WindowingError` if the window system or the driver fails.
    public init(
        sharing main: Window, renderer other: any Renderer, size: Size = FloatingFrame.minimumSize,
        chrome style: FloatingChrome.Style = .init(),
        surfaces: @escaping @MainActor (SurfaceID) -> (any VideoTarget)?
    ) throws(WindowingError) {
        self.surfaces = surfaces
        chrome = FloatingChrome(style: style)
        var options = WindowOptions(size: size.isEmpty ? FloatingFrame.minimumSize : size)
        options.isBorderless = true
        options.isAlwaysOnTop = true
        options.isOnAllDesktops = true
        options.takesFocus = false
        options.minimumSize = FloatingFrame.minimumSize
        defer { main.makeCurrent() }
        let window = try Window(options, sharing: main)
        self.window = window
        // Only the main window may wait for the display's vertical sync.
        window.setSwapInterval(0)
        // The film thread must not make the main window's context current in between.
        renderer = RenderLock.withLock {
            window.makeCurrent()
            return other.makeSibling(output: window.output)
        }
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
    ///   - area: The window's last area, in the window system's units. If `area` is nil, the window opens in the lower
    ///     right corner of the screen that shows `main`.
    ///   - others: The areas of windows to avoid, in the window system's units. Ignored unless `area` is nil.
    public func open(
        _ element: any FloatingElement, area: PixelRect?, beside main: Window, avoiding others: [PixelRect] = []
    ) {
        self.element = element
        root.insert(element.layer, at: 0)
        element.onNeedsDisplay = { [weak self] in self?.isStale = true }
        let frame = Self.frame(for: element, area: area, beside: main, avoiding: others)
        elementChanged()
        let place = PixelRect(points: frame.frame, units: main.unitsPerPoint)
        window.setArea(place)
        isStale = true
        openedAt = .now()
        setFirstPicture(place.size)
        main.makeCurrent()
        window.show()
    }

    /// Draws the first frame for a window of `size` before the window manager shows the window.
    private func setFirstPicture(_ size: PixelSize) {
        guard !size.isEmpty else { return }
        var list = DisplayList(viewport: size)
        let scale = window.scale
        let points = Size(width: Double(size.width) / scale, height: Double(size.height) / scale)
        compose(&list, size: points, scale: scale, visibleAt: .now())
        // Without memory for the picture, the window is shown with no picture for some milliseconds.
        guard let pixels = try? renderer.pixels(of: list, surfaces: surfaces) else { return }
        window.setFirstPicture(pixels, size: size)
    }

    /// Returns the frame that `open` would give the window for `element`, in points. The parameters are those of
    /// `open`.
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

    /// Returns the frame of a window that opens for the first time. The width is limited by `largestFraction`. If there
    /// is space, the frame is moved up so that it overlaps none of `others`.
    private static func first(
        _ element: any FloatingElement, on screen: Rect, avoiding others: [Rect]
    ) -> FloatingFrame {
        var size = element.preferredSize
        let fraction = screen.size.width * largestFraction / max(size.width, 1)
        if fraction > 0, fraction < 1 { size = Size(width: size.width * fraction, height: size.height * fraction) }
        return FloatingFrame.initial(preferredSize: size, aspect: element.aspect, workArea: screen)
            .above(others, in: screen)
    }

    /// Applies the element's title and aspect ratio to the window. Call when the title or the aspect ratio has changed.
    /// A visible window is resized to the new aspect ratio.
    public func elementChanged() {
        guard let element else { return }
        window.setTitle(element.title)
        window.setAspect(element.aspect)
        drag.aspect = element.aspect
        isStale = true
        guard window.isVisible, let aspect = element.aspect, !aspect.isEmpty else { return }
        // A visible window keeps its center when its shape changes, unless it would leave the screen.
        let units = window.unitsPerPoint
        let area = window.area
        let frame = FloatingFrame.restored(
            area.inPoints(units), preferredSize: element.preferredSize, aspect: aspect,
            workAreas: window.workAreas.map { $0.inPoints(units) })
        let isSo = abs(Double(area.width) * aspect.height - Double(area.height) * aspect.width) < 2 * aspect.width
        if !isSo { window.setArea(PixelRect(points: frame.frame, units: units)) }
    }

    /// Hides the window and releases the element, so that a page can show the element again.
    ///
    /// - Returns: The window's area, in the window system's units; nil if the window was not open.
    @discardableResult public func close() -> PixelRect? {
        guard let element else { return nil }
        let area = window.area
        arbiter.cancelAll(now: .now())
        chrome.reset()
        element.onNeedsDisplay = nil
        element.layer.removeFromSuperlayer()
        self.element = nil
        if openedAt != nil { window.removeFirstPicture() }
        openedAt = nil
        window.hide()
        return area
    }

    /// Requests a redraw in the next iteration of the frame loop.
    public func setNeedsDisplay() { isStale = true }

    // MARK: - FrameLoopWindow

    public var surface: any FrameSurface { window }
    public var demand: WindowDemand {
        WindowDemand(
            isAnimating: layersMove || element?.isAnimating == true, needsRedraw: isStale, showsFilm: showsFilm)
    }

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

    public func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        isStale = false
        compose(&list, size: window.size, scale: scale, visibleAt: time)
    }

    private func compose(_ list: inout DisplayList, size: Size, scale: Double, visibleAt time: HostTime) {
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
        if let openedAt {
            // The frame may have been drawn before the window was mapped or had its final size.
            isStale = true
            if window.isMapped || time - openedAt > Self.mappingLimit {
                self.openedAt = nil
                window.removeFirstPicture()
            }
        }
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
        case .moved, .filesDropped, .fullscreenChanged, .displayRateChanged: break
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

    /// Tells hover targets whether the mouse is over them. A finger hovers over nothing.
    private func follow(_ event: PointerEvent) {
        let isOver = event.pointer == 0 && event.phase != .left && !arbiter.isTracking
        let path = isOver ? root.path(to: event.position, at: LocalTime(event.time)) : []
        let found = path.compactMap { $0.owner as? any HoverTarget }
        for old in hovered where !found.contains(where: { $0 === old }) { old.hover(nil, now: event.time) }
        for element in found { element.hover(event.position, now: event.time) }
        if !found.isEmpty || !hovered.isEmpty { isStale = true }
        hovered = found
    }
}

extension PixelRect {
    /// Returns this rectangle converted from the window system's units to points. `units` is the number of units per
    /// point.
    func inPoints(_ units: Double) -> Rect {
        Rect(
            x: Double(minX) / units, y: Double(minY) / units, width: Double(width) / units,
            height: Double(height) / units)
    }

    /// Converts a rectangle from points to the window system's units, rounded to whole units. `units` is the number of
    /// units per point.
    init(points: Rect, units: Double) {
        self.init(
            rounding: Rect(
                x: points.minX * units, y: points.minY * units, width: points.size.width * units,
                height: points.size.height * units))
    }
}
