public import GlissadeGeometry

/// The position and size of a floating window. Computes the frames that result from moving, resizing and restoring the
/// window.
///
/// All lengths are in points. An invalid translation leaves the frame unchanged.
public struct FloatingFrame: Hashable, Sendable {
    /// The smallest width and height of a window, unless the screen is smaller.
    public static let minimumSize = Size(width: 160, height: 90)
    /// The largest width or height of a window, a texture size that current graphics devices support.
    public static let maximumSide = 16_384.0
    /// The width and height of the zone at each corner in which a drag resizes the window. The zone takes up at most a
    /// third of the window's width and height.
    public static let cornerZone = 16.0
    /// The distance from the edges of the work area at which a window first opens.
    public static let margin = 24.0
    /// The largest ratio of the longer to the shorter side of a window with a fixed aspect ratio. More extreme aspect
    /// ratios are clamped.
    public static let longestAspect = 20.0

    /// A corner of the window that can be dragged to resize it.
    public enum Corner: Hashable, Sendable, CaseIterable {
        case topLeft, topRight, bottomLeft, bottomRight

        var isLeft: Bool { self == .topLeft || self == .bottomLeft }
        var isTop: Bool { self == .topLeft || self == .topRight }
    }

    /// The window's rectangle on the screen.
    public let frame: Rect
    /// The aspect ratio to keep, width divided by height; nil if any ratio is allowed.
    private let ratio: Double?

    /// Creates the frame of a window. Does not adapt the rectangle to `aspect`.
    ///
    /// - Parameters:
    ///   - frame: The current rectangle. If it is invalid or empty, a rectangle of the smallest allowed size at the
    ///     origin is used.
    ///   - aspect: The aspect ratio to keep while resizing; nil if any ratio is allowed.
    public init(_ frame: Rect, aspect: Size? = nil) {
        ratio = Self.ratio(aspect)
        self.frame = Self.isFrame(frame) ? frame : Rect(origin: .zero, size: Self.smallest(ratio))
    }

    private init(_ frame: Rect, ratio: Double?) {
        self.frame = frame
        self.ratio = ratio
    }

    // MARK: - Dragging

    /// Returns the frame moved by `translation`; unchanged if the result would be invalid.
    public func moved(by translation: Point) -> FloatingFrame {
        let moved = Rect(origin: frame.origin + translation, size: frame.size)
        return moved.magnitude <= InlinePlace.limit ? FloatingFrame(moved, ratio: ratio) : self
    }

    /// Returns the frame moved up so that it overlaps none of `others`, with half of `margin` in between. It is not moved
    /// above one over which `workArea` has no space for it.
    public func above(_ others: [Rect], in workArea: Rect) -> FloatingFrame {
        var result = self
        for other in others.sorted(by: { $0.minY > $1.minY }) {
            let own = result.frame
            let isOver =
                own.minX < other.maxX && own.maxX > other.minX && own.minY < other.maxY && own.maxY > other.minY
            let rise = own.maxY - other.minY + Self.margin / 2
            if isOver, own.minY - rise >= workArea.minY { result = result.moved(by: Point(x: 0, y: -rise)) }
        }
        return result
    }

    /// Returns the frame that results from dragging `corner` by `translation`, within the size limits. The opposite
    /// corner stays in place.
    public func resized(from corner: Corner, by translation: Point) -> FloatingFrame {
        guard translation.magnitude <= InlinePlace.limit else { return self }
        let wider = corner.isLeft ? -translation.x : translation.x
        let higher = corner.isTop ? -translation.y : translation.y
        let (old, smallest) = (frame.size, Self.smallest(ratio))
        var size: Size
        if let ratio {
            // Only the movement along the diagonal counts, so the corner stays as close to the pointer as possible.
            let width = old.height * ratio
            let square = width * width + old.height * old.height
            let scale = square > 0 ? 1 + (wider * width + higher * old.height) / square : 1
            let largest = Self.maximumSide / max(ratio, 1)
            size = Size(width: width * scale, height: old.height * scale)
            if size.width > largest * ratio { size = Size(width: largest * ratio, height: largest) }
            if size.width < smallest.width { size = smallest }
        } else {
            size = Size(
                width: min(max(old.width + wider, smallest.width), Self.maximumSide),
                height: min(max(old.height + higher, smallest.height), Self.maximumSide))
        }
        let origin = Point(
            x: corner.isLeft ? frame.maxX - size.width : frame.minX,
            y: corner.isTop ? frame.maxY - size.height : frame.minY)
        return FloatingFrame(Rect(origin: origin, size: size), ratio: ratio)
    }

    /// Returns the corner that a press at `point` drags, in a window of `size`. `point` is measured from the top-left
    /// corner of the window. Nil if `point` is outside the corner zones; such a press moves the window.
    public static func corner(at point: Point, in size: Size) -> Corner? {
        guard Rect(origin: .zero, size: size).contains(point) else { return nil }
        // Even a tiny window keeps an area for moving it.
        let zone = Size(width: min(cornerZone, size.width / 3), height: min(cornerZone, size.height / 3))
        let (isLeft, isRight) = (point.x < zone.width, point.x >= size.width - zone.width)
        let (isTop, isBottom) = (point.y < zone.height, point.y >= size.height - zone.height)
        guard isLeft || isRight, isTop || isBottom else { return nil }
        return isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
    }
}

extension FloatingFrame {
    // MARK: - On the screens

    /// Returns the frame of a window that opens for the first time: at the bottom right of `workArea`, inset by
    /// `margin`, and scaled down if necessary.
    public static func initial(preferredSize: Size, aspect: Size?, workArea: Rect) -> FloatingFrame {
        let ratio = ratio(aspect)
        let wanted =
            !preferredSize.isEmpty && preferredSize.magnitude <= InlinePlace.limit ? preferredSize : minimumSize
        let size = locked(wanted, ratio)
        guard isFrame(workArea) else { return FloatingFrame(Rect(origin: .zero, size: size), ratio: ratio) }
        let available = Size(width: workArea.size.width - 2 * margin, height: workArea.size.height - 2 * margin)
        let fitted = fitted(size, into: available.isEmpty ? workArea.size : available)
        let corner = Point(x: workArea.maxX - margin - fitted.width, y: workArea.maxY - margin - fitted.height)
        return FloatingFrame(held(Rect(origin: corner, size: fitted), in: workArea), ratio: ratio)
    }

    /// Returns the frame for a window that was last at `remembered`.
    ///
    /// If the aspect ratio has changed, the window first gets the new ratio. The window keeps its center and, within
    /// the size limits, its area. It is then moved onto the screen that it overlaps most, or onto the nearest screen if
    /// it overlaps none. If it is too large for that screen, it is scaled down.
    ///
    /// - Parameters:
    ///   - remembered: The last rectangle. If it is invalid, the window is placed on the first screen, as if it opened
    ///     for the first time.
    ///   - preferredSize: The window's size if `remembered` is invalid.
    ///   - workAreas: The work areas of all screens. If there are none, the window is neither moved nor scaled down.
    public static func restored(
        _ remembered: Rect, preferredSize: Size, aspect: Size?, workAreas: [Rect]
    ) -> FloatingFrame {
        let areas = workAreas.filter(isFrame)
        guard isFrame(remembered) else {
            return initial(preferredSize: preferredSize, aspect: aspect, workArea: areas.first ?? .zero)
        }
        let ratio = ratio(aspect)
        let size = locked(remembered.size, ratio)
        let frame = size == remembered.size ? remembered : Rect(centre: remembered.centre, size: size)
        guard let area = areas.max(by: { isWorse($0, than: $1, for: frame) }) else {
            return FloatingFrame(frame, ratio: ratio)
        }
        let fitted = fitted(size, into: area.size)
        let placed = fitted == size ? frame : Rect(centre: frame.centre, size: fitted)
        return FloatingFrame(held(placed, in: area), ratio: ratio)
    }

    /// Whether `one` is a worse screen for `frame` than `other`. A screen is worse if it overlaps `frame` less or, if
    /// neither screen overlaps `frame`, if it is farther away.
    private static func isWorse(_ one: Rect, than other: Rect, for frame: Rect) -> Bool {
        let (shared, otherShared) = (overlap(one, frame), overlap(other, frame))
        if shared != otherShared { return shared < otherShared }
        return shared == 0 && distance(one, frame.centre) > distance(other, frame.centre)
    }

    private static func overlap(_ a: Rect, _ b: Rect) -> Double {
        max(min(a.maxX, b.maxX) - max(a.minX, b.minX), 0) * max(min(a.maxY, b.maxY) - max(a.minY, b.minY), 0)
    }

    private static func distance(_ area: Rect, _ point: Point) -> Double {
        let nearest = Point(
            x: min(max(point.x, area.minX), area.maxX), y: min(max(point.y, area.minY), area.maxY))
        return (nearest - point).magnitude
    }

    private static func held(_ frame: Rect, in area: Rect) -> Rect {
        Rect(
            origin: Point(
                x: max(min(frame.minX, area.maxX - frame.size.width), area.minX),
                y: max(min(frame.minY, area.maxY - frame.size.height), area.minY)),
            size: frame.size)
    }

    // MARK: - Sizes

    private static func isFrame(_ frame: Rect) -> Bool { frame.magnitude <= InlinePlace.limit && !frame.size.isEmpty }

    private static func ratio(_ aspect: Size?) -> Double? {
        guard let aspect, !aspect.isEmpty, aspect.magnitude < .infinity else { return nil }
        return min(max(aspect.width / aspect.height, 1 / longestAspect), longestAspect)
    }

    /// Returns the smallest allowed size with the aspect ratio `ratio`; `minimumSize` if `ratio` is nil.
    private static func smallest(_ ratio: Double?) -> Size {
        guard let ratio else { return minimumSize }
        let height = max(minimumSize.height, minimumSize.width / ratio)
        return Size(width: height * ratio, height: height)
    }

    /// Returns the size with aspect ratio `ratio` and the area of `size`, within the size limits. If `ratio` is nil,
    /// only the limits are applied.
    private static func locked(_ size: Size, _ ratio: Double?) -> Size {
        let smallest = smallest(ratio)
        guard let ratio else {
            return Size(
                width: min(max(size.width, smallest.width), maximumSide),
                height: min(max(size.height, smallest.height), maximumSide))
        }
        let isSo = abs(size.width - size.height * ratio) < 0.5 && size.width >= smallest.width
        if isSo, max(size.width, size.height) <= maximumSide { return size }
        let height = (size.width * size.height / ratio).squareRoot()
        let held = min(max(height, smallest.height), maximumSide / max(ratio, 1))
        return Size(width: held * ratio, height: held)
    }

    /// Returns `size`, scaled down proportionally if it does not fit into `available`.
    private static func fitted(_ size: Size, into available: Size) -> Size {
        let scale = min(available.width / size.width, available.height / size.height, 1)
        return scale < 1 ? size.scaled(by: scale) : size
    }
}
