public import GlissadeGeometry

/// Lends memory for frames that can be displayed without a copy. Any thread.
public protocol FrameAllocator: AnyObject, Sendable {
    /// Returns memory for a BGRA frame of `size`, without padding between rows and aligned to 64 bytes. The content is
    /// undefined. Returns nil if there is no memory left, or if frames of this size are not supported. May wait a few
    /// milliseconds for memory that is about to be given back.
    func take(_ size: PixelSize) -> UnsafeMutableRawPointer?
    /// Takes back memory returned by `take`.
    func giveBack(_ memory: UnsafeMutableRawPointer)
}
