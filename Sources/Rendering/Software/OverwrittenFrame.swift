import GlissadeGeometry
import GlissadePicture

/// Memory for frames whose size keeps changing. It holds only one frame: each new frame overwrites the previous one.
///
/// Threads: any thread that holds `RenderLock`. The thread that writes a frame must hold the lock until the frame is
/// uploaded, so that no draw sees a half-written frame.
final class OverwrittenFrame: FrameAllocator, @unchecked Sendable {
    // @unchecked: used while `RenderLock` is held.

    /// The memory, which is large enough for every frame up to the capacity.
    private let raster: Raster
    private let byteCount: Int
    let address: UnsafeMutableRawPointer

    /// Allocates memory for frames of up to `capacity`; nil if out of memory.
    init?(capacity: PixelSize) {
        guard let raster = Raster(.opaque, size: capacity) else { return nil }
        self.raster = raster
        (address, byteCount) = raster.withRows { ($0, $1 * capacity.height) }
    }

    /// Whether the memory was allocated for more pixels than `size` has.
    func isLarger(than size: PixelSize) -> Bool { raster.size.width * raster.size.height > size.width * size.height }

    /// Whether a frame of `size` fits in the memory; false if `size` is empty.
    func holds(_ size: PixelSize) -> Bool { !size.isEmpty && size.width * 4 * size.height <= byteCount }

    func take(_ size: PixelSize) -> UnsafeMutableRawPointer? { holds(size) ? address : nil }

    func giveBack(_ memory: UnsafeMutableRawPointer) {}

    /// Returns a raster of the frame of `size` that was written into the memory. Its pixels are not copied.
    func frame(_ size: PixelSize) -> Raster { Raster(.opaque, memory: address, stride: size.width * 4, size: size) }
}
