public import Geometry

/// Something that can fill the window, and has a place in a page to which it goes back: a film's picture, a card.
///
/// Main thread.
@MainActor public protocol FullscreenElement: AnyObject {
    /// Where its item is now, found by the item's identity; nil where that is gone. It is asked in every frame on the
    /// way: the list may have been scrolled, sorted, loaded anew or resized meanwhile.
    var inlinePlace: InlinePlace? { get }
    /// The size of the upright picture, in any unit; nil where it is unknown, and the picture never turned.
    var pictureSize: Size? { get }
    /// It leaves its place, which from now on is kept by a placeholder.
    func willLeavePlace()
    /// It is to be seen so. Called for each frame in which that is something else, and for nothing else.
    func show(_ figure: FullscreenGeometry)
    /// It is back at its place; or, where `isGone`, it has faded out, and what plays goes on in a page of its own.
    func didReturn(isGone: Bool)
}

/// Where an element is on its pages, in the points of what holds these.
public struct InlinePlace: Hashable, Sendable {
    public var frame: Rect
    /// In points.
    public var cornerRadius: Double

    public init(frame: Rect, cornerRadius: Double = 0) {
        self.frame = frame
        self.cornerRadius = cornerRadius
    }

    /// The place, if it is one: with numbers that can be counted with, and a size that is not below nothing.
    var usable: InlinePlace? {
        guard frame.magnitude <= Self.limit, frame.size.width >= 0, frame.size.height >= 0 else { return nil }
        let radius = cornerRadius > 0 && cornerRadius <= Self.limit ? cornerRadius : 0
        return InlinePlace(frame: frame, cornerRadius: radius)
    }

    func moved(by offset: Point) -> InlinePlace {
        InlinePlace(frame: Rect(origin: frame.origin + offset, size: frame.size), cornerRadius: cornerRadius)
    }

    /// No window is so large, in points; beyond it frames are taken for nonsense.
    static let limit = 1e9
}

/// How an element is seen that is fullscreen, or on its way there or back.
public struct FullscreenGeometry: Hashable, Sendable {
    /// The element's box before it is turned, in the window's points.
    public var frame: Rect
    /// In points; 0 over the whole window.
    public var cornerRadius: Double
    /// 0 at its place, 1 over the whole window, and never beyond.
    public var progress: Double
    /// 1, but for an element whose place is gone: it goes down to 0 on the way out.
    public var opacity: Double
    /// By how many quarters, 0…1, the box is turned clockwise about its centre; not 0 only with `FullscreenController.Shape.rotate`.
    public var turn: Double

    public init(
        frame: Rect, cornerRadius: Double = 0, progress: Double = 1, opacity: Double = 1, turn: Double = 0
    ) {
        self.frame = frame
        self.cornerRadius = cornerRadius
        self.progress = progress
        self.opacity = opacity
        self.turn = turn
    }
}
