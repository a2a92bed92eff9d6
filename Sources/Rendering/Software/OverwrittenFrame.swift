import Geometry
import Picture

/// Memory for one frame, which each new frame overwrites while frame sizes change.
///
/// Any thread that holds `RenderLock` from writing a frame to its upload, so that no draw sees a half-written frame.
final class OverwrittenFrame: FrameAllocator, @unchecked Sendable {
    // @unchecked: used while `RenderLock` is held.

    /// Memory large enough for every frame up to the capacity.
    private let raster: Raster
    private let byteCount: Int
    let address: UnsafeMutableRawPointer

    /// Allocates memory for frames of up to `capacity`; nil if out of memory.
    init?(capacity: PixelSize) {
        guard let raster = Raster(.opaque, size: capacity) else { return nil }
        self.raster = raster
        (address, byteCount) = raster.withRows { ($0, $1 * capacity.height) }
    }

    func holds(_ size: PixelSize) -> Bool { !size.isEmpty && size.width * 4 * size.height <= byteCount }

    func take(_ size: PixelSize) -> UnsafeMutableRawPointer? { holds(size) ? address : nil }

    func giveBack(_ memory: UnsafeMutableRawPointer) {}

    /// The frame of `size` that was written into the memory.
    func frame(_ size: PixelSize) -> Raster { Raster(.opaque, memory: address, stride: size.width * 4, size: size) }
}
