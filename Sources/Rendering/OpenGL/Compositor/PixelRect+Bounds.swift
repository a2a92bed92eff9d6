import Geometry

extension PixelRect {
    func moved(_ x: Int, _ y: Int) -> PixelRect {
        PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// The same where it is near any screen; else brought nearer, so that no sum of coordinates is too large.
    var bounded: PixelRect {
        func bounded(_ value: Int) -> Int { min(max(value, -1 << 40), 1 << 40) }
        return PixelRect(minX: bounded(minX), minY: bounded(minY), maxX: bounded(maxX), maxY: bounded(maxY))
    }
}
