import Geometry
import Picture

/// The memory of one frame, which is made anew in the same place while its size changes.
///
/// Any thread that holds `RenderLock` from making a frame to uploading it, so that no draw sees half of it.
final class OverwrittenFrame: FrameAllocator, @unchecked Sendable {
    // @unchecked: used while `RenderLock` is held.

    /// Enough for every frame.
    private let raster: Raster
    private let byteCount: Int
    let address: UnsafeMutableRawPointer

    /// Nil if out of memory.
    init?(capacity: PixelSize) {
        guard let raster = Raster(.opaque, size: capacity) else { return nil }
        self.raster = raster
        (address, byteCount) = raster.withRows { ($0, $1 * capacity.height) }
    }

    func holds(_ size: PixelSize) -> Bool { !size.isEmpty && size.width * 4 * size.height <= byteCount }

    func take(_ size: PixelSize) -> UnsafeMutableRawPointer? { holds(size) ? address : nil }

    func giveBack(_ memory: UnsafeMutableRawPointer) {}

    /// The frame of `size` that was made in the memory.
    func frame(_ size: PixelSize) -> Raster { Raster(.opaque, memory: address, stride: size.width * 4, size: size) }
}
