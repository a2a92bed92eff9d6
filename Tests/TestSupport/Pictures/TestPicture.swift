package import GlissadePicture

/// A picture in memory of the test's own: sample values by plane, row and column, and how they are laid out.
package struct TestPicture {
    package var format: PixelFormat
    /// Bytes between the end of a row and the start of the next.
    package var padding = 0
    /// Code values, row by row; two to a texel in an interleaved plane.
    package var planes: [[Int]]

    /// `sample` gives the code value for (plane, column, row); an interleaved plane's columns alternate.
    package init(_ format: PixelFormat, padding: Int = 0, sample: (Int, Int, Int) -> Int) {
        self.format = format
        self.padding = padding
        planes = (0..<format.planeCount).map { plane in
            let size = format.planeSize(plane)
            let columns = size.width * Self.samplesPerTexel(format, plane)
            return (0..<size.height).flatMap { y in (0..<columns).map { x in sample(plane, x, y) } }
        }
    }

    /// Reproducible noise over a slope: no two places alike, and every code value the range allows.
    package static func noise(_ format: PixelFormat, padding: Int = 0, seed: UInt64 = 1) -> TestPicture {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let codes = 1 << format.bitDepth
        return TestPicture(format, padding: padding) { _, _, _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 33) % codes
        }
    }

    /// Slopes in different directions, as most of a film is.
    package static func slopes(_ format: PixelFormat, padding: Int = 0) -> TestPicture {
        let codes = Double(1 << format.bitDepth)
        return TestPicture(format, padding: padding) { plane, x, y in
            let size = format.planeSize(plane)
            let (column, part) = x.quotientAndRemainder(dividingBy: samplesPerTexel(format, plane))
            let u = (Double(column) + 0.5) / Double(size.width)
            let v = (Double(y) + 0.5) / Double(size.height)
            let value = [u * 0.5 + v * 0.5, 0.9 - 0.8 * u, 0.1 + 0.8 * v, 0.5][min(plane + part, 3)]
            return Int(value * codes)
        }
    }

    package static func samplesPerTexel(_ format: PixelFormat, _ plane: Int) -> Int {
        format.texelBytes(plane) / format.bytesPerSample
    }

    /// The samples as a decoder would leave them.
    package var bytes: [[UInt8]] {
        planes.indices.map { plane in
            let columns = format.planeSize(plane).width * Self.samplesPerTexel(format, plane)
            let shift = format.isHighAligned ? 16 - format.bitDepth : 0
            var bytes: [UInt8] = []
            for (index, code) in planes[plane].enumerated() {
                bytes.append(UInt8(truncatingIfNeeded: code << shift))
                if format.bytesPerSample == 2 { bytes.append(UInt8(truncatingIfNeeded: (code << shift) >> 8)) }
                if index % columns == columns - 1 { bytes += [UInt8](repeating: 0xEE, count: padding) }
            }
            return bytes
        }
    }

    /// Lends the planes to `body`.
    package func withView<E: Error>(_ body: (PixelView) throws(E) -> Void) throws(E) {
        let bytes = bytes
        let plane = { (index: Int, base: UnsafeRawPointer) in
            PixelView.Plane(
                base: base,
                stride: format.planeSize(index).width * format.texelBytes(index) + padding)
        }
        let copies = bytes.map { row in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(row.count, 1), alignment: 16)
            memory.copyMemory(from: row, byteCount: row.count)
            return memory
        }
        defer { for copy in copies { copy.deallocate() } }
        try body(
            PixelView(
                format: format, plane(0, copies[0]), copies.count > 1 ? plane(1, copies[1]) : nil,
                copies.count > 2 ? plane(2, copies[2]) : nil))
    }
}
