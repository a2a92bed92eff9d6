public import Geometry

/// Lends memory for frames that can be displayed without a copy. Any thread.
public protocol FrameAllocator: AnyObject, Sendable {
    /// Returns memory for a BGRA frame of `size`, aligned to 64 bytes; nil if none is available. The content is
    /// undefined. May wait a few milliseconds for memory that is about to be given back.
    func take(_ size: PixelSize) -> UnsafeMutableRawPointer?
    /// Takes back memory lent by `take`.
    func giveBack(_ memory: UnsafeMutableRawPointer)
}
