public import Geometry

/// An element that can fill the window and has a place in a page to return to, such as a video or a card.
///
/// Main thread.
@MainActor public protocol FullscreenElement: AnyObject {
    /// The current place of its item, found by identity; nil if the item is gone. Called for each frame of a
    /// transition, since the list may be scrolled, sorted, reloaded or resized meanwhile.
    var inlinePlace: InlinePlace? { get }
    /// The size of the upright video, in any unit; nil if unknown, in which case it is never rotated.
    var pictureSize: Size? { get }
    /// The element is about to leave its place, where a placeholder stands in from now on.
    func willLeavePlace()
    /// Shows the element with this appearance. Called only for frames in which it differs.
    func show(_ geometry: FullscreenGeometry)
    /// The element is back in its place or, if `isGone`, has faded out; playback then continues on a separate page.
    func didReturn(isGone: Bool)
}

/// The place of an element on its page, in the points of the pages' container.
public struct InlinePlace: Hashable, Sendable {
    /// The rectangle, in points.
    public var frame: Rect
    /// In points.
    public var cornerRadius: Double

    public init(frame: Rect, cornerRadius: Double = 0) {
        self.frame = frame
        self.cornerRadius = cornerRadius
    }

    /// The place if it is valid: finite numbers and a size that is not negative.
    var usable: InlinePlace? {
        guard frame.magnitude <= Self.limit, frame.size.width >= 0, frame.size.height >= 0 else { return nil }
        let radius = cornerRadius > 0 && cornerRadius <= Self.limit ? cornerRadius : 0
        return InlinePlace(frame: frame, cornerRadius: radius)
    }

    func moved(by offset: Point) -> InlinePlace {
        InlinePlace(frame: Rect(origin: frame.origin + offset, size: frame.size), cornerRadius: cornerRadius)
    }

    /// No window is this large, in points; frames beyond it are invalid.
    static let limit = 1e9
}

/// The appearance of an element that is fullscreen or in transition.
public struct FullscreenGeometry: Hashable, Sendable {
    /// The element's box before rotation, in the window's points.
    public var frame: Rect
    /// In points; 0 when fullscreen.
    public var cornerRadius: Double
    /// 0 in its place, 1 when fullscreen; clamped.
    public var progress: Double
    /// 1, except for an element whose item is gone: decreases to 0 as it returns.
    public var opacity: Double
    /// The clockwise rotation of the box about its center, in quarter turns, 0…1; 0 unless
    /// `FullscreenController.Shape.rotate`.
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
