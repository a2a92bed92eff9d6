public import Geometry

/// The frame of a floating window on the screens, and how dragging changes it.
///
/// A value. All numbers are in the unit of the frames. Invalid input changes nothing.
public struct FloatingFrame: Hashable, Sendable {
    /// The smallest width or height, unless the screen is smaller.
    public static let minimumSize = Size(width: 160, height: 90)
    /// The largest width or height: a texture size that all graphics devices support.
    public static let maximumSide = 16_384.0
    /// How close to a corner, in both directions, a press resizes.
    public static let cornerZone = 16.0
    /// The distance from the screen's edges when it opens for the first time.
    public static let margin = 24.0
    /// The most extreme aspect ratio that is kept, either way.
    public static let longestAspect = 20.0

    /// A corner by which the window is resized.
    public enum Corner: Hashable, Sendable, CaseIterable {
        case topLeft, topRight, bottomLeft, bottomRight

        var isLeft: Bool { self == .topLeft || self == .bottomLeft }
        var isTop: Bool { self == .topLeft || self == .topRight }
    }

    /// The position and size.
    public let frame: Rect
    /// Width by height; nil for any.
    private let ratio: Double?

    /// - Parameters:
    ///   - frame: The current frame; an invalid one becomes the smallest frame.
    ///   - aspect: The aspect ratio kept by resizing; nil for any.
    public init(_ frame: Rect, aspect: Size? = nil) {
        ratio = Self.ratio(aspect)
        self.frame = Self.isFrame(frame) ? frame : Rect(origin: .zero, size: Self.smallest(ratio))
    }

    private init(_ frame: Rect, ratio: Double?) {
        self.frame = frame
        self.ratio = ratio
    }

    // MARK: - Dragging

    /// This frame, moved by a distance.
    public func moved(by translation: Point) -> FloatingFrame {
        let moved = Rect(origin: frame.origin + translation, size: frame.size)
        return moved.magnitude <= InlinePlace.limit ? FloatingFrame(moved, ratio: ratio) : self
    }

    /// This frame, resized by a distance at a corner; the opposite corner stays in place.
    public func resized(from corner: Corner, by translation: Point) -> FloatingFrame {
        guard translation.magnitude <= InlinePlace.limit else { return self }
        let wider = corner.isLeft ? -translation.x : translation.x
        let higher = corner.isTop ? -translation.y : translation.y
        let (old, smallest) = (frame.size, Self.smallest(ratio))
        var size: Size
        if let ratio {
            // The pointer's movement along the diagonal counts: the corner stays as close to it as possible.
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

    /// The corner that a press at `point` drags in a window of `size`; nil if it moves the window.
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

    /// The frame of a window that opens for the first time: at the bottom right of `workArea`, with the margin.
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

    /// The frame of a window that was last at `remembered`: entirely on the screen that contains most of it, or the
    /// nearest one, and smaller if needed. With another aspect ratio it keeps its area and center.
    ///
    /// - Parameter workAreas: The work areas of all screens in order; if empty, the frame is unchanged.
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

    /// Whether a screen is worse than another for `frame`. Of two equally good screens, the first wins.
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

    /// The smallest size with this aspect ratio.
    private static func smallest(_ ratio: Double?) -> Size {
        guard let ratio else { return minimumSize }
        let height = max(minimumSize.height, minimumSize.width / ratio)
        return Size(width: height * ratio, height: height)
    }

    /// A size with this aspect ratio and area, within the limits.
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

    /// The largest size that fits into `available` with the same proportions.
    private static func fitted(_ size: Size, into available: Size) -> Size {
        let scale = min(available.width / size.width, available.height / size.height, 1)
        return scale < 1 ? size.scaled(by: scale) : size
    }
}
