import GlissadeGeometry

/// The straight line along which an element moves and grows from its place to the whole window. The line is recomputed
/// for each frame, because either of its ends may move.
struct FullscreenPath {
    /// The element's place, in window points.
    let place: InlinePlace
    /// The fullscreen element's rectangle before rotation, in window points. After rotation, it fills the window.
    let whole: Rect
    let isRotated: Bool

    /// Creates the path between the current place and the current area to fill.
    ///
    /// - Parameters:
    ///   - place: The place in window points. If nil, a rectangle half as wide and high as `bounds`, centered in
    ///     `bounds`, is used.
    ///   - bounds: The area to fill, in window points.
    ///   - pictureSize: The size of the upright video. If nil, the element is not rotated.
    init(place: InlinePlace?, bounds: Rect, shape: FullscreenController.Shape, pictureSize: Size?) {
        let centre = bounds.centre
        isRotated = shape == .rotate && pictureSize.map { Self.lies(across: $0, bounds.size) } == true
        whole = isRotated ? Rect(centre: centre, size: bounds.size.rotated(by: .quarter)) : bounds
        self.place =
            place ?? InlinePlace(frame: Rect(centre: centre, size: bounds.size.scaled(by: Self.nowhereScale)))
    }

    /// Returns the element's appearance at `progress`. A `progress` outside 0…1 moves the element's center beyond the
    /// ends of the line, but does not change the element's size further.
    ///
    /// - Parameter offset: The offset of the element's center from the line, in points.
    func geometry(at progress: Double, offset: Point = .zero) -> FullscreenGeometry {
        let fraction = min(max(progress, 0), 1)
        var frame = place.frame.mixed(with: whole, fraction: fraction)
        if offset != .zero || fraction != progress {
            frame = Rect(centre: centre(at: progress) + offset, size: frame.size)
        }
        return FullscreenGeometry(
            frame: frame, cornerRadius: place.cornerRadius * (1 - fraction), progress: fraction,
            quarterTurns: isRotated ? fraction : 0)
    }

    func centre(at progress: Double) -> Point { place.frame.centre.mixed(with: whole.centre, fraction: progress) }

    /// The vector from the place's center to the window's center.
    var length: Point { whole.centre - place.frame.centre }

    /// Whether one of `picture` and `area` is portrait and the other landscape. A square is neither.
    private static func lies(across picture: Size, _ area: Size) -> Bool {
        guard !picture.isEmpty, picture.magnitude < .infinity else { return false }
        return (picture.width - picture.height) * (area.width - area.height) < 0
    }

    /// The width and height of the rectangle used for an unknown place, as a fraction of the width and height of the
    /// area to fill.
    private static let nowhereScale = 0.5
}

/// The difference between an element's visible appearance and its appearance on the straight line (`FullscreenPath`),
/// for example after a fade was reversed. The difference shrinks to zero during the rest of the transition.
struct FullscreenOffset {
    private let frame: Rect
    private let cornerRadius: Double
    private let opacity: Double
    private let start: Double
    private let end: Double

    /// Computes the difference between the visible appearance `seen` and the appearance on the line, `straight`. Nil if
    /// they are equal.
    init?(of seen: FullscreenGeometry, from straight: FullscreenGeometry, to end: Double) {
        guard seen.frame != straight.frame || seen.opacity != 1 || seen.cornerRadius != straight.cornerRadius
        else { return nil }
        frame = seen.frame - straight.frame
        cornerRadius = seen.cornerRadius - straight.cornerRadius
        opacity = seen.opacity - 1
        start = seen.progress
        self.end = end
    }

    func added(to geometry: FullscreenGeometry) -> FullscreenGeometry {
        guard start != end, geometry.progress != end else { return geometry }
        let fraction = min(max((geometry.progress - end) / (start - end), 0), 1)
        var geometry = geometry
        geometry.frame = geometry.frame + frame.scaled(by: fraction)
        geometry.frame.size.width = max(geometry.frame.size.width, 0)
        geometry.frame.size.height = max(geometry.frame.size.height, 0)
        geometry.cornerRadius = max(geometry.cornerRadius + cornerRadius * fraction, 0)
        geometry.opacity += opacity * fraction
        return geometry
    }
}

extension Rect {
    init(centre: Point, size: Size) {
        self.init(
            origin: Point(x: centre.x - size.width / 2, y: centre.y - size.height / 2), size: size)
    }

    var centre: Point { Point(x: minX + size.width / 2, y: minY + size.height / 2) }
}
