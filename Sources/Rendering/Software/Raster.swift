import GlissadeCPixman
import GlissadeGeometry
import Glibc

/// Rows of pixels in memory, used as the source or the target of drawing.
///
/// Rectangles passed to the methods must be inside the raster and not empty.
///
/// Threads: any thread that holds `RenderLock`.
final class Raster {
    let format: PixmanImage.Format
    let size: PixelSize
    /// The bytes from one row to the next.
    let stride: Int
    private let memory: UnsafeMutableRawPointer
    private let isOwner: Bool
    /// The pixels as a pixman image without a transform.
    let image: PixmanImage
    /// The same pixels as a pixman image for drawing with a transform. This image is separate from `image` because
    /// pixman would allocate memory for a new transform whenever the last one had been reset.
    private(set) lazy var placeable = PixmanImage(format, memory: memory, stride: stride, size: size)

    /// Creates a raster of `size` pixels with undefined content; nil if out of memory. If `repeats` is true, the raster
    /// is tiled when it is drawn into an area larger than itself.
    init?(_ format: PixmanImage.Format, size: PixelSize, repeats: Bool = false) {
        let stride = (size.width * format.bytesPerPixel + 63) / 64 * 64
        guard let memory = aligned_alloc(64, stride * size.height) else { return nil }
        self.memory = memory
        (self.format, self.size, self.stride, isOwner) = (format, size, stride, true)
        image = PixmanImage(format, memory: memory, stride: stride, size: size, repeats: repeats)
    }

    /// Creates a raster in memory that is owned elsewhere and must outlive the raster. The address and the stride must
    /// be multiples of 4.
    init(_ format: PixmanImage.Format, memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize) {
        self.memory = memory
        (self.format, self.size, self.stride, isOwner) = (format, size, stride, false)
        image = PixmanImage(format, memory: memory, stride: stride, size: size)
    }

    /// Returns a raster that uses the same memory in another format. The result is valid only while this raster exists.
    func reinterpreted(as format: PixmanImage.Format) -> Raster {
        Raster(format, memory: memory, stride: stride, size: size)
    }

    deinit {
        if isOwner { free(memory) }
    }

    /// Whether the raster has this memory, stride and size.
    func isAt(_ memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize) -> Bool {
        self.memory == memory && self.stride == stride && self.size == size
    }

    private func pixel(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
        memory + y * stride + x * format.bytesPerPixel
    }

    // MARK: - Whole rows

    /// Copies rows of pixels in the same format to the top left corner of the raster. `stride` is the number of bytes
    /// from one copied row to the next.
    func copy(from rows: UnsafeRawPointer, stride: Int, size: PixelSize) {
        let byteCount = size.width * format.bytesPerPixel
        for y in 0..<size.height { memcpy(pixel(0, y), rows + y * stride, byteCount) }
    }

    /// Calls `body` with the address of the first row and the stride. The address is valid until `body` returns.
    func withRows<R>(_ body: (UnsafeMutableRawPointer, _ stride: Int) -> R) -> R { body(memory, stride) }

    /// Copies pixels from `other`, a raster of the same format, to `rect`. (`x`, `y`) is the top left corner of the
    /// source area in `other`.
    func copy(_ rect: PixelRect, from other: Raster, x: Int, y: Int) {
        let byteCount = rect.width * format.bytesPerPixel
        for row in 0..<rect.height { memcpy(pixel(rect.minX, rect.minY + row), other.pixel(x, y + row), byteCount) }
    }

    // MARK: - Pixels

    /// Fills a rectangle of a 32-bit raster with one color. Blue is the lowest byte of `color`.
    func fill(_ rect: PixelRect, _ color: UInt32) {
        pixman_fill(
            memory.assumingMemoryBound(to: UInt32.self), CInt(stride / 4), 32, CInt(rect.minX), CInt(rect.minY),
            CInt(rect.width), CInt(rect.height), color)
    }

    /// Sets one pixel of a 32-bit raster. Blue is the lowest byte of `color`.
    func set(_ x: Int, _ y: Int, _ color: UInt32) { pixel(x, y).storeBytes(of: color, as: UInt32.self) }

    func value(_ x: Int, _ y: Int) -> UInt32 { pixel(x, y).load(as: UInt32.self) }

    /// Adds `levels`, -255…255, to the blue, green and red bytes of a rectangle. The sums are clamped to 0…255.
    func offsetBrightness(of rect: PixelRect, by levels: Int) {
        let (up, down) = (UInt8(max(levels, 0)), UInt8(max(-levels, 0)))
        for y in rect.minY..<rect.maxY {
            glissade_offset_row(pixel(rect.minX, y).assumingMemoryBound(to: UInt8.self), rect.width * 4, up, down)
        }
    }

    /// Multiplies blue, green and red in a rectangle by `gain`, and alpha by `alphaGain`. Both factors are in units of
    /// 1/256.
    func darken(_ rect: PixelRect, leaving gain: Int, ofAlpha alphaGain: Int = 256) {
        for y in rect.minY..<rect.maxY {
            glissade_darken_row(
                pixel(rect.minX, y).assumingMemoryBound(to: UInt32.self), rect.width, UInt16(gain), UInt16(alphaGain))
        }
    }

    /// Writes the pixels in `columns` of row `y`, sampled from `picture` with bilinear interpolation. Beyond the edges
    /// of `picture`, its edge pixels are repeated.
    ///
    /// - Parameters:
    ///   - start: The position in `picture`, in pixels, that corresponds to the center of the first pixel written.
    ///   - step: The step in `picture` from one written pixel to the next.
    func sample(
        _ picture: Raster, row y: Int, columns: Range<Int>, from start: SIMD2<Double>, step: SIMD2<Double>
    ) {
        func fixed(_ value: Double) -> Int64 { Int64((min(max(value, -1e6), 1e6) * 4_294_967_296).rounded()) }
        var source = glissade_picture(
            rows: picture.memory.assumingMemoryBound(to: UInt8.self), stride: picture.stride,
            width: Int64(picture.size.width), height: Int64(picture.size.height))
        glissade_sample_row(
            &source, pixel(columns.lowerBound, y).assumingMemoryBound(to: UInt32.self), columns.count,
            fixed(start.x - 0.5), fixed(start.y - 0.5), fixed(step.x), fixed(step.y))
    }

    // MARK: - Coverage

    /// Sets the coverage of the pixels in `columns` of row `y` to one value, 0…255.
    func cover(row y: Int, columns: Range<Int>, _ value: UInt8) {
        memset(pixel(columns.lowerBound, y), CInt(value), columns.count)
    }

    /// Sets the coverage of the pixels in `columns` of row `y` to the fraction of each pixel that is inside an outline,
    /// multiplied by `most` (up to 255).
    ///
    /// - Parameters:
    ///   - start: The offset of the center of the first pixel from the center of the outline.
    ///   - step: The step from one pixel to the next.
    func cover(
        row y: Int, columns: Range<Int>, by outline: glissade_outline, from start: SIMD2<Double>, step: SIMD2<Double>,
        most: Double
    ) {
        var outline = outline
        glissade_cover_row(
            &outline, pixel(columns.lowerBound, y).assumingMemoryBound(to: UInt8.self), columns.count, start.x,
            start.y, step.x, step.y, most)
    }

    func setCoverage(_ x: Int, _ y: Int, _ value: UInt8) { pixel(x, y).storeBytes(of: value, as: UInt8.self) }

    func coverage(_ x: Int, _ y: Int) -> UInt8 { pixel(x, y).load(as: UInt8.self) }
}
