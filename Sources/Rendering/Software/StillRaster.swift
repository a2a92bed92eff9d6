import Motion
import Picture

/// A still image in memory, for the software renderer, with smaller copies of it. Main thread.
final class StillRaster: Still {
    private let whole: Raster
    private let mayShrink: Bool
    /// Halves, quarters and so on: made when one is first drawn from.
    private var copies: [Raster] = []
    /// The image at the size that it was last drawn at, where that is less than half of its own.
    private var shrunk: Raster?

    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    init(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) {
        guard !bitmap.isEmpty else { throw .emptyPicture }
        let size = bitmap.size
        guard max(size.width, size.height) <= PixmanImage.sizeLimit else {
            throw .tooLarge(size, limit: PixmanImage.sizeLimit)
        }
        whole = try Self.raster(bitmap)
        self.mayShrink = mayShrink
        // Copies are a third of the image, and what is shrunk at most a quarter: together, and what is set on one size
        // alone as a texture counts, with room for one.
        super.init(size: size, bytes: size.width * size.height * 4 * (mayShrink ? 19 : 12) / 12)
    }

    private static func raster(_ bitmap: Bitmap) throws(RenderingError) -> Raster {
        guard let raster = Raster(.premultiplied, size: bitmap.size) else { throw .allocation(bitmap.size, code: 0) }
        bitmap.withPicture { raster.copy(from: $0[plane: 0].base, stride: $0[plane: 0].stride, size: bitmap.size) }
        return raster
    }

    /// What to draw for a destination of `size`: an image of that size, or one that is to be scaled.
    func level(for size: PixelSize) -> Raster {
        let shrinking = max(
            Double(whole.size.width) / Double(size.width), Double(whole.size.height) / Double(size.height))
        guard mayShrink, shrinking > 2, size != whole.size else { return whole }
        // One that is high and narrow where the image was wide is made from a copy as it is drawn.
        let (area, share) = (Double(size.width) * Double(size.height), shrinking.logarithmOf2)
        let level = Int(share)
        guard area * 4 <= Double(whole.size.width) * Double(whole.size.height) else { return copy(level) }
        if let shrunk, shrunk.size == size { return shrunk }
        guard let mixed = Raster(.premultiplied, size: size),
            mixed.mix(copy(level), copy(level + 1), share: share - Double(level))
        else { return copy(level) }
        shrunk = mixed
        return mixed
    }

    /// The copy whose sides are `2 ^ level` times smaller, or the smallest.
    private func copy(_ level: Int) -> Raster {
        guard level > 0 else { return whole }
        while copies.count < level {
            let last = copies.last ?? whole
            if last.size.width == 1 && last.size.height == 1 { return last }
            guard let half = last.halved() else { return last }
            copies.append(half)
        }
        return copies[level - 1]
    }
}

/// Stills in memory.
struct StillRasterFactory: StillFactory {
    var sizeLimit: Int { PixmanImage.sizeLimit }

    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> Still {
        try StillRaster(bitmap, mayShrink: mayShrink)
    }
}

extension Double {
    fileprivate var logarithmOf2: Double { logarithm(self) / logarithm(2) }
}

extension Raster {
    /// A premultiplied image of half the size, each pixel the mean of four; nil where there is no memory.
    fileprivate func halved() -> Raster? {
        let half = PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2))
        guard let halved = Raster(.premultiplied, size: half) else { return nil }
        let (right, below) = (size.width > 1 ? 1 : 0, size.height > 1 ? 1 : 0)
        for y in 0..<half.height {
            for x in 0..<half.width {
                // Two channels at a time, with room between them for the sum of four.
                let mask: UInt32 = 0x00FF_00FF
                var (even, odd): (UInt32, UInt32) = (0x0002_0002, 0x0002_0002)
                for (dx, dy) in [(0, 0), (right, 0), (0, below), (right, below)] {
                    let pixel = value(x * 2 + dx, y * 2 + dy)
                    even += pixel & mask
                    odd += pixel >> 8 & mask
                }
                halved.set(x, y, even >> 2 & mask | (odd >> 2 & mask) << 8)
            }
        }
        return halved
    }

    /// Fills it with an image that lies so far on the way from the larger to the smaller, both scaled; false where there
    /// is no memory.
    fileprivate func mix(_ larger: Raster, _ smaller: Raster, share: Double) -> Bool {
        let all = PixelRect(size: size)
        guard let veil = Raster(.coverage, size: PixelSize(width: 1, height: 1), repeats: true) else { return false }
        let part = UInt8((share * 255).rounded())
        func draw(_ operation: PixmanImage.Operation, _ raster: Raster, _ opacity: UInt8) {
            veil.setCoverage(0, 0, opacity)
            image.draw(
                operation, raster.placed(PictureMap(destination: all, picture: raster.size), from: all),
                mask: veil.image, to: all)
        }
        draw(.replace, larger, 255 - part)
        draw(.add, smaller, part)
        return true
    }
}
