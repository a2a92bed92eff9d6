public import Geometry
public import Layers
public import Time

/// An element that can float in a separate window: a video, a clock, a line of text. It is redrawn at an interval or on
/// request.
///
/// Main thread; the time is passed in.
@MainActor public protocol FloatingElement: AnyObject {
    /// The layer that shows it, laid out from the window's top-left corner.
    var layer: Layer { get }
    /// The window's title.
    var title: String { get }
    /// The aspect ratio that the window keeps; nil for any.
    var aspect: Size? { get }
    /// The size at which it opens the first time, in points.
    var preferredSize: Size { get }
    /// The interval at which it is asked for updates; nil if it requests them with `setNeedsDisplay`.
    var redrawInterval: Duration? { get }
    /// Set by the host; the element calls it when it must be redrawn.
    var onNeedsDisplay: (@MainActor () -> Void)? { get set }
    /// Lays the element out for a window of `size` points, at `scale` device pixels per point.
    func layout(size: Size, scale: Double)
    /// Advances the element to `now`.
    ///
    /// - Returns: Whether its appearance has changed; only then is it drawn.
    func advance(to now: HostTime) -> Bool
    /// When to ask again after `now`; nil if it does not change with time.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether it is animating and must be asked in every frame.
    var isAnimating: Bool { get }
    /// Tells the element its state, after each change.
    func floatingStateChanged(to state: FloatingState)
}

extension FloatingElement {
    public var title: String { "" }
    public var aspect: Size? { nil }
    public var preferredSize: Size { Size(width: 320, height: 180) }
    public var redrawInterval: Duration? { nil }
    public func layout(size: Size, scale: Double) { layer.frame = Rect(origin: .zero, size: size) }
    public func advance(to now: HostTime) -> Bool { redrawInterval != nil }
    /// The next whole interval of the clock, no matter how often it is called.
    public func nextWake(now: HostTime) -> HostTime? {
        redrawInterval.flatMap { RedrawInterval(length: $0).next(after: now) }
    }
    public var isAnimating: Bool { false }
    public func floatingStateChanged(to state: FloatingState) {}

    /// Requests a redraw.
    public func setNeedsDisplay() { onNeedsDisplay?() }
}
