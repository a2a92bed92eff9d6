import GlissadeGeometry
import GlissadePicture

/// A raster image in memory, with smaller copies, for the software renderer.
///
/// Threads: any thread that holds `RenderLock`.
final class ImageRaster: RasterImage {
    private let whole: Raster
    private let mayShrink: Bool
    /// Copies at 1/2, 1/4, 1/8 and so on of the width and height, each made when it is first needed.
    private var copies: [Raster] = []
    /// Copies at exact sizes at which the image was drawn repeatedly, each with at most a quarter of the area of the
    /// image. The most recently used copy is last.
    private var shrunk: [Raster] = []
    /// The most recently drawn sizes that are small enough for a copy in `shrunk` but have none, oldest first.
    private var recent: [PixelSize] = []
    // An image is rarely drawn at more than two sizes for long: one in a list, and one in the page beneath it.
    private static let (shrunkLimit, recentLimit) = (2, 4)

    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    init(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) {
        guard !bitmap.isEmpty else { throw .emptyPicture }
        let size = bitmap.size
        guard max(size.width, size.height) <= PixmanImage.sizeLimit else {
            throw .tooLarge(size, limit: PixmanImage.sizeLimit)
        }
        whole = try Self.raster(bitmap)
        self.mayShrink = mayShrink
        // The copies take a third of the image's memory, and each entry of `shrunk` at most a quarter.
        super.init(size: size, bytes: size.width * size.height * 4 * (mayShrink ? 22 : 12) / 12)
    }

    private static func raster(_ bitmap: Bitmap) throws(RenderingError) -> Raster {
        guard let raster = Raster(.premultiplied, size: bitmap.size) else { throw .allocation(bitmap.size, code: 0) }
        bitmap.withPicture { raster.copy(from: $0[plane: 0].base, stride: $0[plane: 0].stride, size: bitmap.size) }
        return raster
    }

    /// The image or images to draw for a destination size.
    enum Level {
        /// One image, which is scaled if it does not have the size of the destination.
        case one(Raster)
        /// Two images to scale and blend. `fraction` is the weight of the smaller image, out of 255.
        case mixed(larger: Raster, smaller: Raster, fraction: UInt8)
    }

    /// Returns the image or images to draw for a destination of `size`.
    ///
    /// When a small size is drawn again, a copy at that size is cached.
    func level(for size: PixelSize) -> Level {
        let shrinking = max(
            Double(whole.size.width) / Double(size.width), Double(whole.size.height) / Double(size.height))
        guard mayShrink, shrinking > 2, size != whole.size else { return .one(whole) }
        // If only one direction shrinks much, the image is scaled from a copy while it is drawn.
        let (area, fraction) = (Double(size.width) * Double(size.height), shrinking.logarithmOf2)
        let level = Int(fraction)
        guard area * 4 <= Double(whole.size.width) * Double(whole.size.height) else { return .one(copy(level)) }
        if let index = shrunk.firstIndex(where: { $0.size == size }) {
            shrunk.append(shrunk.remove(at: index))
            return .one(shrunk[shrunk.count - 1])
        }
        let (larger, smaller) = (copy(level), copy(level + 1))
        let part = UInt8(((fraction - Double(level)) * 255).rounded())
        if recent.contains(size), let raster = Raster(.premultiplied, size: size),
            raster.mix(larger, smaller, fraction: part)
        {
            if shrunk.count >= Self.shrunkLimit { shrunk.removeFirst() }
            shrunk.append(raster)
            return .one(raster)
        }
        if recent.count >= Self.recentLimit { recent.removeFirst() }
        recent.append(size)
        return .mixed(larger: larger, smaller: smaller, fraction: part)
    }

    /// Returns the copy whose sides are 2^`level` times smaller than those of the image, or the smallest copy that
    /// could be made. Level 0 is the image itself.
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

/// Makes raster images in memory, for the software renderer.
struct ImageRasterFactory: ImageFactory {
    var sizeLimit: Int { PixmanImage.sizeLimit }

    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage {
        try ImageRaster(bitmap, mayShrink: mayShrink)
    }
}

extension Double {
    fileprivate var logarithmOf2: Double { logarithm(self) / logarithm(2) }
}

extension Raster {
    /// Returns a premultiplied copy at half the width and height (at least 1); nil if out of memory. Each pixel is the
    /// mean of four.
    fileprivate func halved() -> Raster? {
        let half = PixelSize(width: max(1, size.width / 2), height: max(1, size.height / 2))
        guard let halved = Raster(.premultiplied, size: half) else { return nil }
        let (right, below) = (size.width > 1 ? 1 : 0, size.height > 1 ? 1 : 0)
        for y in 0..<half.height {
            for x in 0..<half.width {
                // Adds two channels at a time, with room between them for a sum of four values.
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

    /// Fills the raster with a blend of `larger` and `smaller`, both scaled to the size of the raster. Returns false if
    /// out of memory.
    fileprivate func mix(_ larger: Raster, _ smaller: Raster, fraction: UInt8) -> Bool {
        guard let opacityMask = Raster(.coverage, size: PixelSize(width: 1, height: 1), repeats: true) else {
            return false
        }
        let all = PixelRect(size: size)
        mix(larger, smaller, fraction: fraction, of: all, rotation: .none, from: all, opacityMask: opacityMask)
        return true
    }

    /// Writes a blend of two scaled images to the top left corner of this raster.
    ///
    /// - Parameters:
    ///   - fraction: The weight of the smaller image, out of 255.
    ///   - destination: The rectangle that each whole image would fill after its rotation.
    ///   - rotation: The clockwise rotation of the images.
    ///   - part: The part of `destination` to write.
    ///   - opacityMask: A tiling coverage raster of one pixel, used as scratch memory.
    func mix(
        _ larger: Raster, _ smaller: Raster, fraction: UInt8, of destination: PixelRect, rotation: QuarterTurns,
        from part: PixelRect, opacityMask: Raster
    ) {
        let rect = PixelRect(size: part.size)
        func draw(_ operation: PixmanImage.Operation, _ raster: Raster, _ opacity: UInt8) {
            opacityMask.setCoverage(0, 0, opacity)
            let map = PictureMap(destination: destination, rotation: rotation, picture: raster.size)
            image.draw(operation, raster.placed(map, from: part), mask: opacityMask.image, to: rect)
        }
        draw(.replace, larger, 255 - fraction)
        draw(.add, smaller, fraction)
    }
}
