public import GlissadeGeometry

/// The metrics of a rasterized line of text, in device pixels, for placing the line's bitmap in a box of any size.
public struct TextLineMetrics: Hashable, Sendable {
    /// The advance width of the line. Glyphs may extend beyond it.
    public var width: Double
    /// The height of the line.
    public var height: Double
    /// The distance from the top of the line to its baseline.
    public var baseline: Double
    /// The line height of the primary font. Together with `strutBaseline`, determines where the baseline is drawn,
    /// regardless of the script.
    public var strutHeight: Double
    /// The distance from the top of a line in the primary font to the baseline.
    public var strutBaseline: Double
    /// The bitmap's left edge, relative to the start of the line; negative if the edge is left of the start.
    public var bitmapX: Int
    /// The bitmap's top edge, relative to the baseline; negative above the baseline.
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

    /// Whether the line fits into the width of `box` without being shortened.
    public func fits(in box: PixelSize) -> Bool { width <= Double(box.width) }

    /// Returns the start of the line on its baseline, relative to the top-left corner of a box of `size`.
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

    /// Returns the distance from the top of a box of `boxHeight` to the top of the line; may be negative.
    public func verticalOffset(in boxHeight: Double) -> Double {
        let offset = (boxHeight - strutHeight) / 2 + strutBaseline - baseline
        // A line that would extend beyond the box is moved just far enough to fit, if it fits at all.
        return height <= boxHeight ? min(max(offset, 0), boxHeight - height) : offset
    }

    /// Returns the rectangle in which to draw the line's bitmap for text laid out in a box. The rectangle may extend
    /// beyond the box.
    ///
    /// - Parameters:
    ///   - box: The rectangle of the box, after the rotation by `rotation`.
    ///   - rotation: The clockwise rotation of the box with its text.
    public func destination(
        of bitmapSize: PixelSize, in box: PixelRect, rotation: QuarterTurns = .none, alignment: TextContent.Alignment
    ) -> PixelRect {
        let size = box.size.rotated(by: rotation)
        let start = start(in: size, alignment: alignment)
        let (x, y) = (start.x + bitmapX, start.y + bitmapY)
        let line = PixelRect(minX: x, minY: y, maxX: x + bitmapSize.width, maxY: y + bitmapSize.height)
            .rotated(by: rotation, in: size)
        return PixelRect(
            minX: box.minX + line.minX, minY: box.minY + line.minY, maxX: box.minX + line.maxX,
            maxY: box.minY + line.maxY)
    }
}
