public import Geometry
public import Layers
public import Time

/// Anything that can float in a window of its own: a film, a clock, a line of text. It is drawn anew at an interval of
/// its own, or only when it says so.
///
/// Main thread; time is told.
@MainActor public protocol FloatingElement: AnyObject {
    /// All that is seen of it; laid out from the window's top left corner.
    var layer: Layer { get }
    /// What the window is called.
    var title: String { get }
    /// The proportions that the window keeps to; nil leaves it any.
    var aspect: Size? { get }
    /// In which it opens the first time, in points.
    var preferredSize: Size { get }
    /// How often it is to be asked again by itself; nil where it says so (`setNeedsDisplay`).
    var redrawInterval: Duration? { get }
    /// Set by whoever floats it; called by the element when something of it is to be drawn anew.
    var onNeedsDisplay: (@MainActor () -> Void)? { get set }
    /// The window is `size` points, of `scale` device pixels each way.
    func layout(size: Size, scale: Double)
    /// The time is `now`.
    ///
    /// - Returns: whether something is seen otherwise than before: only then is it drawn.
    func advance(to now: HostTime) -> Bool
    /// When it is to be asked again, after `now`; nil where time alone changes nothing.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether it moves, and is to be asked in every frame.
    var isAnimating: Bool { get }
    /// How far it has come; told after each change.
    func floatingStateChanged(to state: FloatingState)
}

extension FloatingElement {
    public var title: String { "" }
    public var aspect: Size? { nil }
    public var preferredSize: Size { Size(width: 320, height: 180) }
    public var redrawInterval: Duration? { nil }
    public func layout(size: Size, scale: Double) { layer.frame = Rect(origin: .zero, size: size) }
    public func advance(to now: HostTime) -> Bool { redrawInterval != nil }
    /// The next whole interval of the clock: however often it is asked, the answer does not move on.
    public func nextWake(now: HostTime) -> HostTime? {
        redrawInterval.flatMap { RedrawInterval(length: $0).next(after: now) }
    }
    public var isAnimating: Bool { false }
    public func floatingStateChanged(to state: FloatingState) {}

    /// Something of the element is to be drawn anew.
    public func setNeedsDisplay() { onNeedsDisplay?() }
}
