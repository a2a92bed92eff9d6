public import Geometry
public import Layers
public import Time

/// An element that can be shown in a separate floating window, such as a video, a clock or a line of text. It is
/// redrawn at an interval or on request.
///
/// Main thread; the time is passed in.
@MainActor public protocol FloatingElement: AnyObject {
    /// The layer that shows the element, placed at the window's top-left corner.
    var layer: Layer { get }
    /// The window's title.
    var title: String { get }
    /// The aspect ratio that the window keeps; nil if any is allowed.
    var aspect: Size? { get }
    /// The size of the window when it first opens, in points.
    var preferredSize: Size { get }
    /// The interval at which `advance` is called; nil if the element requests redraws with `setNeedsDisplay`.
    var redrawInterval: Duration? { get }
    /// Requests a redraw. The host sets it, and the element calls it.
    var onNeedsDisplay: (@MainActor () -> Void)? { get set }
    /// Lays the element out for a window of `size` points, at `scale` device pixels per point.
    func layout(size: Size, scale: Double)
    /// Advances the element to `now`.
    ///
    /// - Returns: Whether the element's appearance has changed. It is redrawn only then.
    func advance(to now: HostTime) -> Bool
    /// The next time after `now` at which to call `advance`; nil if the element does not change with time.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether the element is animating, so that `advance` must be called in every frame.
    var isAnimating: Bool { get }
    /// Called after each change of the floating state.
    func floatingStateChanged(to state: FloatingState)
}

extension FloatingElement {
    public var title: String { "" }
    public var aspect: Size? { nil }
    public var preferredSize: Size { Size(width: 320, height: 180) }
    public var redrawInterval: Duration? { nil }
    public func layout(size: Size, scale: Double) { layer.frame = Rect(origin: .zero, size: size) }
    public func advance(to now: HostTime) -> Bool { redrawInterval != nil }
    /// The next multiple of `redrawInterval` on the clock, no matter how often this is called.
    public func nextWake(now: HostTime) -> HostTime? {
        redrawInterval.flatMap { RedrawInterval(length: $0).next(after: now) }
    }
    public var isAnimating: Bool { false }
    public func floatingStateChanged(to state: FloatingState) {}

    /// Requests a redraw.
    public func setNeedsDisplay() { onNeedsDisplay?() }
}
