import Geometry

/// The straight path from an element's place to the whole window. Recomputed for each frame, as either end may move.
struct FullscreenPath {
    /// The element's place, in window points.
    let place: InlinePlace
    /// The box that fills the window, before rotation.
    let whole: Rect
    let isRotated: Bool

    /// Creates the path between the current ends.
    ///
    /// - Parameters:
    ///   - place: The place in window points. If it was never known (nil), a smaller box in the middle of the window
    ///     is used.
    ///   - bounds: The area to fill.
    ///   - pictureSize: The size of the upright video; nil if unknown, in which case the element is not rotated.
    init(place: InlinePlace?, bounds: Rect, shape: FullscreenController.Shape, pictureSize: Size?) {
        let centre = bounds.centre
        isRotated = shape == .rotate && pictureSize.map { Self.lies(across: $0, bounds.size) } == true
        whole =
            isRotated
            ? Rect(centre: centre, size: Size(width: bounds.size.height, height: bounds.size.width)) : bounds
        self.place =
            place ?? InlinePlace(frame: Rect(centre: centre, size: bounds.size.scaled(by: Self.nowhereScale)))
    }

    /// The element's geometry at `progress`. Values outside 0…1 move its center but do not change its size.
    ///
    /// - Parameter offset: The center's distance from the straight path, in points.
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

    /// The size of the box used if the place was never known, as a fraction of the window.
    private static let nowhereScale = 0.5
}

/// The difference between the visible geometry and the straight path after a reversal that started off the path.
/// Shrinks to zero during the rest of the transition.
struct FullscreenOffset {
    private let frame: Rect
    private let cornerRadius: Double
    private let opacity: Double
    private let start: Double
    private let end: Double

    /// Computes the difference between `seen` and `straight`. Nil if there is none.
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
