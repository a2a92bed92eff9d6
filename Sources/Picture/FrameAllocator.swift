public import Geometry

/// Memory for pictures, lent by whoever shows them: one that was made there need not be copied to be shown.
///
/// Any threads.
public protocol FrameAllocator: AnyObject, Sendable {
    /// Room for a BGRA picture, row after row from an address that 64 divides, with arbitrary content; nil where there is none.
    /// May wait some milliseconds for what is about to be given back.
    func take(_ size: PixelSize) -> UnsafeMutableRawPointer?
    /// Takes back what was lent by `take`.
    func giveBack(_ memory: UnsafeMutableRawPointer)
}
