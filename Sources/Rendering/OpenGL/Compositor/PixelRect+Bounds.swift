import GlissadeGeometry

extension PixelRect {
    func moved(_ x: Int, _ y: Int) -> PixelRect {
        PixelRect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// The rectangle with its coordinates clamped to ±2^40, so that no sum of coordinates overflows.
    var bounded: PixelRect {
        func bounded(_ value: Int) -> Int { min(max(value, -1 << 40), 1 << 40) }
        return PixelRect(minX: bounded(minX), minY: bounded(minY), maxX: bounded(maxX), maxY: bounded(maxY))
    }
}
