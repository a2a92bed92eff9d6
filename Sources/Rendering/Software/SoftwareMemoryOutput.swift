public import GlissadeGeometry

/// An output that alternates between two buffers in ordinary memory, for offscreen use and tests. The frame shown last
/// can be read back.
///
/// Threads: any thread that holds `RenderLock`.
public final class SoftwareMemoryOutput: SoftwareOutput {
    private var buffers: [(raster: Raster, id: Int)] = []
    private var lastID = 0
    private var taken: FrameBuffer?
    private var shown: (buffer: FrameBuffer, changed: PixelRect?)?

    public init() {}

    public var methodName: String { "memory" }

    public func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer? {
        let limit = PixmanImage.sizeLimit
        guard !size.isEmpty else { throw .emptyPicture }
        guard max(size.width, size.height) <= limit else { throw .tooLarge(size, limit: limit) }
        if let taken, taken.size == size { return taken }
        if buffers.first?.raster.size != size {
            buffers = []
            shown = nil
        }
        if buffers.count < 2 {
            guard let raster = Raster(.opaque, size: size) else { throw .allocation(size, code: 0) }
            raster.fill(PixelRect(size: size), 0xFF00_0000)
            lastID += 1
            buffers.append((raster, lastID))
        } else {
            buffers.swapAt(0, 1)
        }
        // The last buffer in the array is not the one being shown.
        let (raster, id) = buffers[buffers.count - 1]
        let buffer = raster.withRows { FrameBuffer(memory: $0, stride: $1, size: size, id: id) }
        taken = buffer
        return buffer
    }

    public func show(_ buffer: FrameBuffer, changed: PixelRect?) {
        shown = (buffer, changed)
        taken = nil
    }

    /// The changed area that was passed to `show` with the last frame; nil if the area is unknown or there is no frame.
    public var changed: PixelRect? { shown?.changed }

    /// Returns the pixels of the frame shown last: R, G, B, A bytes, top row first, `size.width * 4` bytes per row.
    /// Alpha is 255. Empty if no frame has been shown.
    public func readPixels() -> [UInt8] {
        guard let shown, let raster = buffers.first(where: { $0.id == shown.buffer.id })?.raster else { return [] }
        return raster.readPixels()
    }
}

extension Raster {
    /// Returns the pixels of a 32-bit raster as R, G, B, A bytes, top row first, without padding. Alpha is 255.
    func readPixels() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { bytes, count in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (pixel, at) = (value(x, y), (y * size.width + x) * 4)
                    bytes[at] = UInt8(truncatingIfNeeded: pixel >> 16)
                    bytes[at + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    bytes[at + 2] = UInt8(truncatingIfNeeded: pixel)
                    bytes[at + 3] = 255
                }
            }
            count = size.width * size.height * 4
        }
    }
}
