public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// An element, such as a video, a clock or a line of text, that can be shown in a separate floating window.
///
/// The element is redrawn when `advance` reports a change, when the element calls `onNeedsDisplay`, for each new frame
/// of its video, and in every frame while it is animating.
///
/// Main thread; the time is passed in.
@MainActor public protocol FloatingElement: AnyObject {
    /// The layer that shows the element. It fills the window.
    var layer: Layer { get }
    /// The window's title.
    var title: String { get }
    /// The aspect ratio that the window keeps; nil if any ratio is allowed. Only the ratio of width to height counts,
    /// not the size itself.
    var aspect: Size? { get }
    /// The preferred size of the window when it first opens, in points. On a small screen, the window is smaller.
    var preferredSize: Size { get }
    /// The interval between redraws, for an element that uses the default `nextWake`. Nil for an element that requests
    /// each redraw with `setNeedsDisplay`.
    var redrawInterval: Duration? { get }
    /// The closure that the element calls to request a redraw. Set by the window that shows the element.
    var onNeedsDisplay: (@MainActor () -> Void)? { get set }
    /// Lays the element out for a window of `size` points, at `scale` device pixels per point. Called whenever the
    /// window is drawn.
    func layout(size: Size, scale: Double)
    /// Advances the element to `now`. Called in each iteration of the frame loop.
    ///
    /// - Returns: Whether the element's appearance has changed, so that it must be redrawn.
    func advance(to now: HostTime) -> Bool
    /// Returns the time by which `advance` must be called again. Nil if the element does not change with time.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether the element is animating, so that it must be redrawn in every frame.
    var isAnimating: Bool { get }
    /// Called after the state of this element has changed, with the new state.
    func floatingStateChanged(to state: FloatingState)
}

extension FloatingElement {
    public var title: String { "" }
    public var aspect: Size? { nil }
    public var preferredSize: Size { Size(width: 320, height: 180) }
    public var redrawInterval: Duration? { nil }
    public func layout(size: Size, scale: Double) { layer.frame = Rect(origin: .zero, size: size) }
    public func advance(to now: HostTime) -> Bool { redrawInterval != nil }
    /// Returns the first host time after `now` that is a multiple of `redrawInterval`. Nil if there is no interval.
    public func nextWake(now: HostTime) -> HostTime? {
        redrawInterval.flatMap { RedrawInterval(length: $0).next(after: now) }
    }
    public var isAnimating: Bool { false }
    public func floatingStateChanged(to state: FloatingState) {}

    /// Requests a redraw of the element by calling `onNeedsDisplay`.
    public func setNeedsDisplay() { onNeedsDisplay?() }
}
