public import GlissadeGeometry
public import GlissadePicture
import GlissadePixelConversion

/// Converts or rescales single frames on the calling thread, such as frames queued before the window was resized.
/// Reuses its memory from frame to frame.
public struct FrameRescaler: ~Copyable {
    /// The converter, created only when needed: its working memory is as large as several frames.
    private var converter: PixelConverter?
    private var unneeded = 0

    /// The number of frames in a row without a conversion after which the memory is released: five to twelve seconds of
    /// most videos. Getting memory from the system again can take longer than the conversion.
    private static let unneededLimit = 300

    public init() {}

    /// Whether the rescaler holds working memory.
    var keepsMemory: Bool { converter != nil }

    /// Counts a frame that needed no conversion. After `unneededLimit` such frames in a row, releases the working
    /// memory.
    public mutating func wasNotNeeded() {
        guard converter != nil else { return }
        unneeded += 1
        if unneeded == Self.unneededLimit { converter = nil }
    }

    /// Converts the decoded planes of `frame` to BGRA at `size`, and lends the result to `body` for the length of the
    /// call. Returns nil if the planes were released (see `VideoFrame.hasPlanes`) or cannot be converted.
    ///
    /// - Parameters:
    ///   - capacity: The largest size expected for later frames. The rescaler's own memory is allocated for that size.
    ///   - memory: Provides the memory for the result. If it is nil or exhausted, the rescaler uses its own memory.
    ///   - adjustments: The adjustments that the result contains.
    public mutating func withPicture<R>(
        of frame: borrowing VideoFrame, size: PixelSize, capacity: PixelSize? = nil,
        memory: (any FrameAllocator)? = nil, adjustments: PictureAdjustments = .none, _ body: (PixelView) -> R
    ) -> R? {
        let converted: R?? = frame.withPlanes {
            convert($0, to: size, capacity: capacity, memory: memory, adjustments: adjustments, body)
        }
        return converted ?? nil
    }

    /// Rescales a converted `frame` to `size`, and lends the result to `body` for the length of the call. Returns nil
    /// if `frame` is not converted.
    ///
    /// Use this for a frame whose planes were released. If the planes are available, `withPicture` gives a sharper
    /// result and can change the brightness.
    public mutating func withScaledPicture<R>(
        of frame: borrowing VideoFrame, size: PixelSize, capacity: PixelSize? = nil,
        memory: (any FrameAllocator)? = nil, _ body: (PixelView) -> R
    ) -> R? {
        guard frame.isConverted else { return nil }
        return frame.withPicture {
            convert($0, to: size, capacity: capacity, memory: memory, adjustments: .none, body)
        }
    }

    private mutating func convert<R>(
        _ picture: PixelView, to size: PixelSize, capacity: PixelSize?, memory: (any FrameAllocator)?,
        adjustments: PictureAdjustments, _ body: (PixelView) -> R
    ) -> R? {
        if converter == nil { converter = PixelConverter(isForChangingSizes: true) }
        unneeded = 0
        converter?.capacity = capacity ?? PixelSize(width: 0, height: 0)
        let converted =
            converter?.convert(
                picture, to: size, memory: memory, brightnessOffset: adjustments.brightnessOffset) ?? nil
        guard let converted else { return nil }
        return body(converted.view)
    }
}
