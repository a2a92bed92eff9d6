/// A point in a plane whose y-axis points down. The unit of the coordinates, points or pixels, depends on the context.
public struct Point: Hashable, Sendable {
    /// The horizontal coordinate, which increases to the right.
    public var x: Double
    /// The vertical coordinate, which increases downward.
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)
}

/// A width and a height, in points or pixels.
public struct Size: Hashable, Sendable {
    /// The extent along the x-axis.
    public var width: Double
    /// The extent along the y-axis.
    public var height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// A width and a height of zero.
    public static let zero = Size(width: 0, height: 0)

    /// Whether the width or the height is zero, negative or NaN.
    public var isEmpty: Bool { !(width > 0 && height > 0) }
}

/// A rectangle, given by its top-left corner and its size.
public struct Rect: Hashable, Sendable {
    /// The top-left corner.
    public var origin: Point
    /// The width and height.
    public var size: Size

    public init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from its top-left corner (`x`, `y`), its width and its height.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// An empty rectangle at the origin.
    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    /// The left edge.
    public var minX: Double { origin.x }
    /// The top edge.
    public var minY: Double { origin.y }
    /// The right edge. Points on this edge are outside the rectangle.
    public var maxX: Double { origin.x + size.width }
    /// The bottom edge. Points on this edge are outside the rectangle.
    public var maxY: Double { origin.y + size.height }

    /// Whether `point` is inside the rectangle. Points on the right or bottom edge are outside.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// Returns the largest rectangle with the proportions of `aspect` that fits inside this rectangle, centered in it.
    /// The result is empty if this rectangle or `aspect` is empty.
    public func fitting(aspect: Size) -> Rect {
        guard !aspect.isEmpty, !size.isEmpty else { return Rect(origin: origin, size: .zero) }
        let scale = min(size.width / aspect.width, size.height / aspect.height)
        let fitted = Size(width: aspect.width * scale, height: aspect.height * scale)
        return Rect(
            x: minX + (size.width - fitted.width) / 2, y: minY + (size.height - fitted.height) / 2,
            width: fitted.width, height: fitted.height)
    }
}

/// A size in whole pixels.
public struct PixelSize: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether the width or the height is zero or negative.
    public var isEmpty: Bool { width <= 0 || height <= 0 }
    /// The size as floating-point numbers.
    public var size: Size { Size(width: Double(width), height: Double(height)) }
}

/// A rectangle of whole pixels, half-open: `minX..<maxX`, `minY..<maxY`.
public struct PixelRect: Hashable, Sendable {
    /// The first column.
    public var minX: Int
    /// The first row.
    public var minY: Int
    /// The column after the last column.
    public var maxX: Int
    /// The row after the last row.
    public var maxY: Int

    public init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    public init(size: PixelSize) { self.init(minX: 0, minY: 0, maxX: size.width, maxY: size.height) }

    /// Creates a rectangle by rounding each edge of `rect` to a whole pixel. Adjacent rectangles stay adjacent.
    public init(rounding rect: Rect) {
        self.init(
            minX: Self.whole(rect.minX), minY: Self.whole(rect.minY), maxX: Self.whole(rect.maxX),
            maxY: Self.whole(rect.maxY))
    }

    /// The number of columns; negative if the edges are reversed.
    public var width: Int { maxX - minX }
    /// The number of rows; negative if the edges are reversed.
    public var height: Int { maxY - minY }
    /// The width and height. Either is negative if its edges are reversed.
    public var size: PixelSize { PixelSize(width: width, height: height) }
    /// Whether the rectangle has no pixels.
    public var isEmpty: Bool { maxX <= minX || maxY <= minY }

    /// Whether all of `other` is inside this rectangle. Equal rectangles contain each other.
    public func contains(_ other: PixelRect) -> Bool {
        other.minX >= minX && other.minY >= minY && other.maxX <= maxX && other.maxY <= maxY
    }

    /// Returns the intersection with `other`. If the rectangles do not overlap, the result is empty and may have a
    /// negative size.
    public func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
    }

    /// Returns the smallest rectangle that contains this rectangle and `other`. Neither rectangle may be empty.
    public func union(_ other: PixelRect) -> PixelRect {
        PixelRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// Appends the part of this rectangle outside `hole` to `rest`, as up to four non-overlapping rectangles.
    public func subtract(_ hole: PixelRect, into rest: inout [PixelRect]) {
        let cut = intersection(hole)
        if cut.isEmpty {
            if !isEmpty { rest.append(self) }
            return
        }
        if cut.minY > minY { rest.append(PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: cut.minY)) }
        if cut.maxY < maxY { rest.append(PixelRect(minX: minX, minY: cut.maxY, maxX: maxX, maxY: maxY)) }
        if cut.minX > minX { rest.append(PixelRect(minX: minX, minY: cut.minY, maxX: cut.minX, maxY: cut.maxY)) }
        if cut.maxX < maxX { rest.append(PixelRect(minX: cut.maxX, minY: cut.minY, maxX: maxX, maxY: cut.maxY)) }
    }

    /// Rounds a coordinate to whole pixels, and clamps it to ±1e9. NaN becomes 0.
    ///
    /// Rounds halves away from zero, like `rounded()`, but does not call the C library.
    private static func whole(_ value: Double) -> Int {
        guard value > -1e9 else { return value.isNaN ? 0 : -1_000_000_000 }
        guard value < 1e9 else { return 1_000_000_000 }
        let part = Int(value)
        let rest = value - Double(part)
        return rest >= 0.5 ? part + 1 : rest <= -0.5 ? part - 1 : part
    }
}
