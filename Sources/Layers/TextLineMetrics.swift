public import Geometry

/// Where a line of text, rasterized without its box, is placed in any box that it fits in. In device pixels.
public struct TextLineMetrics: Hashable, Sendable {
    /// The advance width.
    public var width: Double
    /// The height of the line.
    public var height: Double
    /// The distance from the top of the line to its baseline.
    public var baseline: Double
    /// The height of a line in the first font, which decides where the baseline is, so that text in any script is level.
    public var strutHeight: Double
    /// The distance from the top of such a line to its baseline.
    public var strutBaseline: Double
    /// The bitmap's left edge, relative to the point on the baseline where the line starts.
    public var bitmapX: Int
    /// The bitmap's top edge, relative to that point.
    public var bitmapY: Int

    public init(
        width: Double, height: Double, baseline: Double, strutHeight: Double, strutBaseline: Double, bitmapX: Int = 0,
        bitmapY: Int = 0
    ) {
        self.width = width
        self.height = height
        self.baseline = baseline
        self.strutHeight = strutHeight
        self.strutBaseline = strutBaseline
        self.bitmapX = bitmapX
        self.bitmapY = bitmapY
    }

    /// Whether the line fits in `box` without being shortened.
    public func fits(in box: PixelSize) -> Bool { width <= Double(box.width) }

    /// The point on the baseline where the line starts in a box of `size`.
    public func start(in size: PixelSize, alignment: TextContent.Alignment) -> (x: Int, y: Int) {
        let free = max(Double(size.width) - width, 0)
        let x: Double =
            switch alignment {
            case .leading: 0
            case .center: free / 2
            case .trailing: free
            }
        return (Int(x.rounded()), Int((verticalOffset(in: Double(size.height)) + baseline).rounded()))
    }

    /// The offset of the line from the top of a box of `boxHeight`.
    public func verticalOffset(in boxHeight: Double) -> Double {
        let offset = (boxHeight - strutHeight) / 2 + strutBaseline - baseline
        // A line with taller glyphs is moved only as far as necessary.
        return height <= boxHeight ? min(max(offset, 0), boxHeight - height) : offset
    }

    /// Where a bitmap of `bitmapSize` is drawn for a box at `box`. It may reach beyond the box.
    public func destination(
        of bitmapSize: PixelSize, in box: PixelRect, alignment: TextContent.Alignment
    ) -> PixelRect {
        let start = start(in: box.size, alignment: alignment)
        let (x, y) = (box.minX + start.x + bitmapX, box.minY + start.y + bitmapY)
        return PixelRect(minX: x, minY: y, maxX: x + bitmapSize.width, maxY: y + bitmapSize.height)
    }
}
