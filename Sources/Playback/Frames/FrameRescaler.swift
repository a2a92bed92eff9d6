public import Geometry
public import Picture
import PixelConversion

/// Resolves a frame on the caller's thread: for the few that the decoder's side prepared for another size, such as those
/// that were queued before a window was resized. Memory is kept from frame to frame.
public struct FrameRescaler: ~Copyable {
    /// Made when it is first needed; what it works with takes as much memory as some pictures.
    private var resolver: PixelConverter?
    private var unneeded = 0

    /// After so many frames that came as they are wanted, its memory is let go: five to twelve seconds of most films as they play. A window that
    /// goes to fullscreen is likely to come back soon, and memory that is taken anew costs more than what is done in it
    /// where the system has to find it first.
    private static let patience = 300

    public init() {}

    /// Whether it has memory to work with.
    var keepsMemory: Bool { resolver != nil }

    /// A frame came as it is wanted.
    public mutating func wasNotNeeded() {
        guard resolver != nil else { return }
        unneeded += 1
        if unneeded == Self.patience { resolver = nil }
    }

    /// Lends `frame`'s picture in BGRA at `size` for the length of the call, made from the samples that were decoded,
    /// whatever it was resolved for, with `brightnessOffset` added to red, green and blue; nil where it has none
    /// (`VideoFrame.hasPlanes`), or their layout cannot be resolved.
    /// - Parameter capacity: how large the next ones may become: memory is made for that.
    public mutating func withPicture<R>(
        of frame: borrowing VideoFrame, size: PixelSize, capacity: PixelSize? = nil, brightnessOffset: Double = 0,
        _ body: (PixelView) -> R
    ) -> R? {
        let resolved: R?? = frame.withPlanes {
            resolve($0, to: size, capacity: capacity, brightnessOffset: brightnessOffset, body)
        }
        return resolved ?? nil
    }

    /// Lends `frame`'s picture in BGRA at `size` for the length of the call, made from the picture that it was resolved to:
    /// less sharp than `withPicture` where it is larger, for one whose samples were let go. Its lift stays as it is. Nil
    /// where it was not resolved.
    public mutating func withScaledPicture<R>(
        of frame: borrowing VideoFrame, size: PixelSize, capacity: PixelSize? = nil, _ body: (PixelView) -> R
    ) -> R? {
        guard frame.isConverted else { return nil }
        return frame.withPicture { resolve($0, to: size, capacity: capacity, brightnessOffset: 0, body) }
    }

    private mutating func resolve<R>(
        _ picture: PixelView, to size: PixelSize, capacity: PixelSize?, brightnessOffset: Double,
        _ body: (PixelView) -> R
    ) -> R? {
        if resolver == nil { resolver = PixelConverter(isForChangingSizes: true) }
        unneeded = 0
        resolver?.capacity = capacity ?? PixelSize(width: 0, height: 0)
        guard let resolved = resolver?.convert(picture, to: size, brightnessOffset: brightnessOffset) ?? nil else {
            return nil
        }
        return body(resolved.view)
    }
}
