public import Geometry

/// Where a floating window is on the screens, and where a hand takes it.
///
/// A value; whichever unit the frames are in, the screen's, is the one of all numbers here. What is no number, or absurd,
/// changes nothing.
public struct FloatingFrame: Hashable, Sendable {
    /// No window is smaller, either way, unless its screen is.
    public static let minimumSize = Size(width: 160, height: 90)
    /// No window is larger, either way: what graphics devices hold at least as a texture is that large.
    public static let maximumSide = 16_384.0
    /// How far from a corner, either way, a press takes hold of it.
    public static let cornerZone = 16.0
    /// How far from the edges of the screen it opens the first time.
    public static let margin = 24.0
    /// The longest proportion that is kept to, and the other way round.
    public static let longestAspect = 20.0

    public enum Corner: Hashable, Sendable, CaseIterable {
        case topLeft, topRight, bottomLeft, bottomRight

        var isLeft: Bool { self == .topLeft || self == .bottomLeft }
        var isTop: Bool { self == .topLeft || self == .topRight }
    }

    public let frame: Rect
    /// Width by height; nil leaves it free.
    private let ratio: Double?

    /// - Parameters:
    ///   - frame: as it is; what is no frame becomes the smallest there is.
    ///   - aspect: the proportions that resizing keeps to; nil where it is free.
    public init(_ frame: Rect, aspect: Size? = nil) {
        ratio = Self.ratio(aspect)
        self.frame = Self.isFrame(frame) ? frame : Rect(origin: .zero, size: Self.smallest(ratio))
    }

    private init(_ frame: Rect, ratio: Double?) {
        self.frame = frame
        self.ratio = ratio
    }

    // MARK: - Under the hand

    /// Drawn from anywhere, by so much since it was here.
    public func moved(by translation: Point) -> FloatingFrame {
        let moved = Rect(origin: frame.origin + translation, size: frame.size)
        return moved.magnitude <= InlinePlace.limit ? FloatingFrame(moved, ratio: ratio) : self
    }

    /// Drawn by a corner, by so much since it was here; the opposite corner stays where it is.
    public func resized(from corner: Corner, by translation: Point) -> FloatingFrame {
        guard translation.magnitude <= InlinePlace.limit else { return self }
        let wider = corner.isLeft ? -translation.x : translation.x
        let higher = corner.isTop ? -translation.y : translation.y
        let (old, smallest) = (frame.size, Self.smallest(ratio))
        var size: Size
        if let ratio {
            // The hand's way along the diagonal counts: the corner stays as near to it as it can.
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

    /// The corner that a press at `point`, in a window of `size`, takes hold of; nil where it draws the whole window.
    public static func corner(at point: Point, in size: Size) -> Corner? {
        guard Rect(origin: .zero, size: size).contains(point) else { return nil }
        // In a tiny window something is left to draw it by.
        let zone = Size(width: min(cornerZone, size.width / 3), height: min(cornerZone, size.height / 3))
        let (isLeft, isRight) = (point.x < zone.width, point.x >= size.width - zone.width)
        let (isTop, isBottom) = (point.y < zone.height, point.y >= size.height - zone.height)
        guard isLeft || isRight, isTop || isBottom else { return nil }
        return isTop ? (isLeft ? .topLeft : .topRight) : (isLeft ? .bottomLeft : .bottomRight)
    }
}

extension FloatingFrame {
    // MARK: - On the screens

    /// Where a window opens the first time: at the bottom right of `workArea`, at the margin.
    public static func initial(preferredSize: Size, aspect: Size?, workArea: Rect) -> FloatingFrame {
        let ratio = ratio(aspect)
        let wanted =
            !preferredSize.isEmpty && preferredSize.magnitude <= InlinePlace.limit ? preferredSize : minimumSize
        let size = locked(wanted, ratio)
        guard isFrame(workArea) else { return FloatingFrame(Rect(origin: .zero, size: size), ratio: ratio) }
        let room = Size(width: workArea.size.width - 2 * margin, height: workArea.size.height - 2 * margin)
        let fitted = fitted(size, into: room.isEmpty ? workArea.size : room)
        let corner = Point(x: workArea.maxX - margin - fitted.width, y: workArea.maxY - margin - fitted.height)
        return FloatingFrame(held(Rect(origin: corner, size: fitted), in: workArea), ratio: ratio)
    }

    /// Where a window opens that was at `remembered` the last time: wholly on the screen on which most of it would be, or
    /// on the nearest one, and smaller where that is too small. Of other proportions now, it is as large about its middle.
    ///
    /// - Parameter workAreas: of all screens, the first of them first; without one it is where it was.
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

    /// Of two screens, the first wins where neither is better.
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

    /// The smallest size of those proportions.
    private static func smallest(_ ratio: Double?) -> Size {
        guard let ratio else { return minimumSize }
        let height = max(minimumSize.height, minimumSize.width / ratio)
        return Size(width: height * ratio, height: height)
    }

    /// A size of those proportions with as much area, not too small and not too large.
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

    /// The size, or what of it fits, in its proportions.
    private static func fitted(_ size: Size, into room: Size) -> Size {
        let scale = min(room.width / size.width, room.height / size.height, 1)
        return scale < 1 ? size.scaled(by: scale) : size
    }
}
