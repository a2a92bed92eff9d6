public import Geometry

/// Lends memory from which frames can be shown without a copy. Any thread.
public protocol FrameAllocator: AnyObject, Sendable {
    /// Returns memory for a BGRA frame, aligned to 64 bytes, with arbitrary content; nil if there is none. May wait a
    /// few milliseconds for memory that is about to be returned.
    func take(_ size: PixelSize) -> UnsafeMutableRawPointer?
    /// Takes back memory lent by `take`.
    func giveBack(_ memory: UnsafeMutableRawPointer)
}
