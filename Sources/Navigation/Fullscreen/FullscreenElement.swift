public import Geometry

/// An element that can fill the window and has a place in a page to return to, such as a video or a card.
///
/// Main thread.
@MainActor public protocol FullscreenElement: AnyObject {
    /// The current place of the element's item; nil if the item is gone. Read for each frame of a transition, since
    /// the list may be scrolled, sorted, reloaded or resized meanwhile. Find the item by identity.
    var inlinePlace: InlinePlace? { get }
    /// The size of the upright video, in any unit. Nil if unknown; the element is then never rotated.
    var pictureSize: Size? { get }
    /// Called when the element is about to leave its place. A placeholder takes that place from now on.
    func willLeavePlace()
    /// Shows the element with `geometry`. Called only when the geometry has changed.
    func show(_ geometry: FullscreenGeometry)
    /// Called when the element is back in its place or, if `isGone`, has faded out because its item is gone.
    func didReturn(isGone: Bool)
}

/// The place of an element on its page, in the points of the pages' container.
public struct InlinePlace: Hashable, Sendable {
    /// The rectangle, in points.
    public var frame: Rect
    /// The corner radius, in points.
    public var cornerRadius: Double

    public init(frame: Rect, cornerRadius: Double = 0) {
        self.frame = frame
        self.cornerRadius = cornerRadius
    }

    /// The place, if its frame is finite and has no negative size; nil otherwise. An invalid corner radius becomes 0.
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
    /// The element's box before rotation, in window points.
    public var frame: Rect
    /// The corner radius, in points; 0 when fullscreen.
    public var cornerRadius: Double
    /// The progress, from 0 in its place to 1 when fullscreen.
    public var progress: Double
    /// The opacity. 1 unless the item is gone; it then decreases to 0 as the element returns.
    public var opacity: Double
    /// The clockwise rotation of the box about its center, in quarter turns, 0…1. Always 0 unless the shape is
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
