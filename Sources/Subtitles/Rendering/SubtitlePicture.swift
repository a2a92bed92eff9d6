import GlissadeGeometry

/// A picture subtitle: rectangles of pixels on a canvas.
struct SubtitlePicture: Hashable, Sendable {
    /// One rectangle of the picture. `x` and `y` are the position of the rectangle's top left corner, in pixels from
    /// the top left corner of the canvas.
    struct Part: Hashable, Sendable {
        let x: Int
        let y: Int
        let size: PixelSize
        /// The palette: 256 premultiplied colors, with alpha in the highest byte, then red, green and blue.
        let colors: [UInt32]
        /// The pixels in rows from the top, run-length encoded as pairs of a count (1…255) and an index into `colors`.
        private let runs: [UInt8]

        /// Creates a part and encodes its pixels.
        ///
        /// - Parameter indices: An index into `colors` for each pixel, in rows from the top.
        init(x: Int, y: Int, size: PixelSize, indices: [UInt8], colors: [UInt32]) {
            self.x = x
            self.y = y
            self.size = size
            self.colors = colors
            var runs: [UInt8] = []
            var rest = indices[...]
            while let index = rest.first {
                let end = rest.prefix(255).firstIndex { $0 != index } ?? rest.prefix(255).endIndex
                runs.append(UInt8(end - rest.startIndex))
                runs.append(index)
                rest = rest[end...]
            }
            self.runs = runs
        }

        /// An index into `colors` for each pixel, in rows from the top.
        var indices: [UInt8] {
            var indices: [UInt8] = []
            indices.reserveCapacity(size.width * size.height)
            for run in stride(from: 0, to: runs.count - 1, by: 2) {
                indices.append(contentsOf: repeatElement(runs[run + 1], count: Int(runs[run])))
            }
            return indices
        }

        var byteCount: Int { runs.count + colors.count * 4 }
    }

    var canvas: PixelSize
    var parts: [Part]

    var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }
}
