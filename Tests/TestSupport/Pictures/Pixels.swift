package import GlissadeGeometry

/// Pixels that were read back: RGBA, row by row.
package struct Pixels {
    package let size: PixelSize
    package let bytes: [UInt8]

    package init(size: PixelSize, bytes: [UInt8]) { (self.size, self.bytes) = (size, bytes) }

    package subscript(_ x: Int, _ y: Int) -> SIMD3<Double> {
        let at = (y * size.width + x) * 4
        return SIMD3(Double(bytes[at]), Double(bytes[at + 1]), Double(bytes[at + 2]))
    }

    /// The largest difference of a component to what `expected` says of each pixel.
    package func largestError(_ expected: (Int, Int) -> SIMD3<Double>) -> Double {
        var largest = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let error = self[x, y] - expected(x, y)
                largest = max(largest, error.max(), -error.min())
            }
        }
        return largest
    }
}

extension Color {
    /// 51 of 255: the same in every rounding.
    package static let gray = Color(red: 0.2, green: 0.2, blue: 0.2)
}
