import Geometry

/// The straight way from an element's place to the whole window, which each frame computes anew: either end may move.
struct FullscreenPath {
    /// In the window's points.
    let place: InlinePlace
    /// The box that fills the window, before it is turned.
    let whole: Rect
    let isTurned: Bool

    /// - Parameters:
    ///   - place: in the window's points; nil where it never was known, and a smaller box in the middle stands for it.
    ///   - bounds: the area to be filled.
    ///   - pictureSize: of the upright picture; nil is never turned.
    init(place: InlinePlace?, bounds: Rect, shape: FullscreenController.Shape, pictureSize: Size?) {
        let centre = bounds.centre
        isTurned = shape == .rotate && pictureSize.map { Self.lies(across: $0, bounds.size) } == true
        whole =
            isTurned
            ? Rect(centre: centre, size: Size(width: bounds.size.height, height: bounds.size.width)) : bounds
        self.place =
            place ?? InlinePlace(frame: Rect(centre: centre, size: bounds.size.scaled(by: Self.nowhereScale)))
    }

    /// Where the element is at `progress`; what is beyond 0…1 moves its centre, but not its size.
    ///
    /// - Parameter offset: how far its centre is from the straight way, in points.
    func figure(at progress: Double, offset: Point = .zero) -> FullscreenGeometry {
        let fraction = min(max(progress, 0), 1)
        var frame = place.frame.mixed(with: whole, fraction: fraction)
        if offset != .zero || fraction != progress {
            frame = Rect(centre: centre(at: progress) + offset, size: frame.size)
        }
        return FullscreenGeometry(
            frame: frame, cornerRadius: place.cornerRadius * (1 - fraction), progress: fraction,
            turn: isTurned ? fraction : 0)
    }

    func centre(at progress: Double) -> Point { place.frame.centre.mixed(with: whole.centre, fraction: progress) }

    /// How far the centre goes from one end to the other.
    var length: Point { whole.centre - place.frame.centre }

    /// Whether one is upright and the other lies; a square is neither.
    private static func lies(across picture: Size, _ area: Size) -> Bool {
        guard !picture.isEmpty, picture.magnitude < .infinity else { return false }
        return (picture.width - picture.height) * (area.width - area.height) < 0
    }

    /// How small a hand draws an element whose place never was known.
    private static let nowhereScale = 0.5
}

/// By how much what is seen is off the straight way, when it was turned round where it was not on it. It gets less with
/// what is left of the way.
struct FullscreenOffset {
    private let frame: Rect
    private let cornerRadius: Double
    private let opacity: Double
    private let start: Double
    private let end: Double

    /// Nil where it is on the way.
    init?(of seen: FullscreenGeometry, from straight: FullscreenGeometry, to end: Double) {
        guard seen.frame != straight.frame || seen.opacity != 1 || seen.cornerRadius != straight.cornerRadius
        else { return nil }
        frame = seen.frame - straight.frame
        cornerRadius = seen.cornerRadius - straight.cornerRadius
        opacity = seen.opacity - 1
        start = seen.progress
        self.end = end
    }

    func added(to figure: FullscreenGeometry) -> FullscreenGeometry {
        guard start != end, figure.progress != end else { return figure }
        let fraction = min(max((figure.progress - end) / (start - end), 0), 1)
        var figure = figure
        figure.frame = figure.frame + frame.scaled(by: fraction)
        figure.frame.size.width = max(figure.frame.size.width, 0)
        figure.frame.size.height = max(figure.frame.size.height, 0)
        figure.cornerRadius = max(figure.cornerRadius + cornerRadius * fraction, 0)
        figure.opacity += opacity * fraction
        return figure
    }
}

extension Rect {
    init(centre: Point, size: Size) {
        self.init(
            origin: Point(x: centre.x - size.width / 2, y: centre.y - size.height / 2), size: size)
    }

    var centre: Point { Point(x: minX + size.width / 2, y: minY + size.height / 2) }
}
