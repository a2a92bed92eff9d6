import Geometry

/// A picture in up to 256 colours on a canvas, which the film's picture may be cut out of. A value.
struct SubtitlePicture: Hashable, Sendable {
    /// One rectangle of it.
    struct Part: Hashable, Sendable {
        let x: Int
        let y: Int
        let size: PixelSize
        /// Premultiplied blue, green, red, alpha, as little-endian numbers; 256 of them.
        let colors: [UInt32]
        /// Rows from the top: how often, 1…255, and which of `colors`, two bytes each. A film's pictures, which are mostly
        /// nothing, take a tenth of what they would plain.
        private let runs: [UInt8]

        /// - Parameter indices: into `colors`, one for each pixel, rows from the top.
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

        /// One for each pixel, rows from the top.
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
