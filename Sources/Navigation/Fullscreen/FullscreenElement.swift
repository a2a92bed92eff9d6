public import GlissadeGeometry

/// An element, such as a video, that can fill the window and return to its place on a page.
///
/// Main thread.
@MainActor public protocol FullscreenElement: AnyObject {
    /// The current place of the element's item on the page; nil if the item is gone. The controller reads this
    /// repeatedly during a transition, because the item may move meanwhile, for example when its list is scrolled or
    /// sorted. The element should find its item by identity, not by index.
    var inlinePlace: InlinePlace? { get }
    /// The size of the video, with the rotation from the file applied. Only the aspect ratio matters, so any unit will
    /// do. If this is nil, the size is unknown, and the controller does not rotate the element.
    var pictureSize: Size? { get }
    /// Called when the element is about to leave its place, where it should leave a placeholder.
    func willLeavePlace()
    /// Shows the element as `geometry` describes. Called when the geometry has changed.
    func show(_ geometry: FullscreenGeometry)
    /// Called when the element has left fullscreen. If `isGone` is false, the element is back in its place. If `isGone`
    /// is true, the element's item is gone, and the element must disappear.
    func didReturn(isGone: Bool)
}

/// The place of an element on its page, measured from the top-left corner of the layer that contains all pages.
public struct InlinePlace: Hashable, Sendable {
    /// The rectangle that the element covers, in points.
    public var frame: Rect
    /// The corner radius, in points.
    public var cornerRadius: Double

    public init(frame: Rect, cornerRadius: Double = 0) {
        self.frame = frame
        self.cornerRadius = cornerRadius
    }

    /// This place, with an invalid corner radius replaced by 0. Nil if the frame is not finite, exceeds `limit`, or has
    /// a negative size.
    var usable: InlinePlace? {
        guard frame.magnitude <= Self.limit, frame.size.width >= 0, frame.size.height >= 0 else { return nil }
        let radius = cornerRadius > 0 && cornerRadius <= Self.limit ? cornerRadius : 0
        return InlinePlace(frame: frame, cornerRadius: radius)
    }

    func moved(by offset: Point) -> InlinePlace {
        InlinePlace(frame: Rect(origin: frame.origin + offset, size: frame.size), cornerRadius: cornerRadius)
    }

    /// The largest valid coordinate or length, in points. No window is this large.
    static let limit = 1e9
}

/// The appearance of an element that is fullscreen or in transition.
public struct FullscreenGeometry: Hashable, Sendable {
    /// The element's rectangle before rotation, in window points.
    public var frame: Rect
    /// The corner radius, in points; 0 when fullscreen.
    public var cornerRadius: Double
    /// The progress of the transition, from 0 for an element in its place to 1 for fullscreen.
    public var progress: Double
    /// The opacity, 0…1. Less than 1 only while the element fades out because its item is gone, or while it fades back
    /// in after the transition was reversed.
    public var opacity: Double
    /// The clockwise rotation of `frame` about its center, in quarter turns, 0…1; 0 unless the controller's `shape` is
    /// `.rotate`.
    public var quarterTurns: Double

    public init(
        frame: Rect, cornerRadius: Double = 0, progress: Double = 1, opacity: Double = 1, quarterTurns: Double = 0
    ) {
        self.frame = frame
        self.cornerRadius = cornerRadius
        self.progress = progress
        self.opacity = opacity
        self.quarterTurns = quarterTurns
    }
}
