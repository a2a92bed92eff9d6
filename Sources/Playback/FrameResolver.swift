public import Motion
public import Picture

/// Resolves a frame on the caller's thread: for the few that the decoder's side prepared for another size, such as those
/// that were queued before a window was resized. Memory is kept from frame to frame.
public struct FrameResolver: ~Copyable {
    /// Made when it is first needed; what it works with takes as much memory as some pictures.
    private var resolver: PictureResolver?

    public init() {}

    /// Lets go of the memory that it works with, until it is needed again.
    public mutating func forget() { resolver = nil }

    /// Lends `frame`'s picture in BGRA at `size` for the length of the call, made from the samples that were decoded,
    /// whatever it was resolved for, with `lift` added to red, green and blue; nil where it has none
    /// (`VideoFrame.hasPlanes`), or their layout cannot be resolved.
    public mutating func withPicture<R>(
        of frame: borrowing VideoFrame, size: PixelSize, lift: Double = 0, _ body: (PictureView) -> R
    ) -> R? {
        let resolved: R?? = frame.withPlanes { resolve($0, to: size, lift: lift, body) }
        return resolved ?? nil
    }

    /// Lends `frame`'s picture in BGRA at `size` for the length of the call, made from the picture that it was resolved to:
    /// less sharp than `withPicture` where it is larger, for one whose samples were let go. Its lift stays as it is. Nil
    /// where it was not resolved.
    public mutating func withScaledPicture<R>(
        of frame: borrowing VideoFrame, size: PixelSize, _ body: (PictureView) -> R
    ) -> R? {
        guard frame.isResolved else { return nil }
        return frame.withPicture { resolve($0, to: size, lift: 0, body) }
    }

    private mutating func resolve<R>(
        _ picture: PictureView, to size: PixelSize, lift: Double, _ body: (PictureView) -> R
    ) -> R? {
        if resolver == nil { resolver = PictureResolver(isForChangingSizes: true) }
        guard let resolved = resolver?.resolve(picture, to: size, lift: lift) ?? nil else { return nil }
        return body(resolved.view)
    }
}
