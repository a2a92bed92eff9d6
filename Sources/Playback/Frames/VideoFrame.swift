import GlissadeCFFmpeg
public import GlissadeGeometry
public import GlissadeMedia
public import GlissadePicture
import GlissadePixelConversion
public import GlissadeTime

/// A decoded frame with a single owner.
public struct VideoFrame: ~Copyable, Sendable {
    /// When to show the frame, on the media timeline.
    public let presentationTime: MediaTime
    /// How long to show the frame; an estimate if the media does not specify it.
    public let duration: Duration
    /// The size of the decoded frame, in pixels.
    public let codedSize: PixelSize
    /// The pixel aspect and orientation with which to display the frame.
    public let geometry: PixelGeometry
    /// The adjustments made in the conversion to BGRA; none if the frame was not converted.
    public let adjustments: PictureAdjustments
    /// The CPU time spent on the frame so far.
    public let cost: DecodingCost
    /// The frame's number among all frames taken to be shown, on whatever thread, from 1; 0 until it is taken.
    public internal(set) var number = 0
    /// Whether the frame was counted in `Player.Counts.due` when it was taken.
    public internal(set) var isCounted = false
    /// The number of the generation to which the frame belongs: see `PacketBuffer.Generation`.
    let generation: Int
    private let storage: Storage
    /// The decoded planes of a converted frame, if `FrameFormat.retainsSource` was set; nil otherwise.
    private let source: DecodedPicture?

    /// The frame's samples.
    enum Storage: ~Copyable, Sendable {
        /// The planes from the decoder or, if these cannot be shown, from swscale.
        case planes(DecodedPicture)
        /// A BGRA frame, scaled to `FrameFormat.convertedSize`.
        case converted(ConvertedPicture)
    }

    init(
        _ storage: consuming Storage, source: consuming DecodedPicture? = nil, codedSize: PixelSize,
        geometry: PixelGeometry, presentationTime: MediaTime, duration: Duration, generation: Int,
        adjustments: PictureAdjustments = .none, cost: DecodingCost = DecodingCost()
    ) {
        self.storage = storage
        self.source = source
        self.codedSize = codedSize
        self.geometry = geometry
        self.presentationTime = presentationTime
        self.duration = duration
        self.generation = generation
        self.adjustments = adjustments
        self.cost = cost
    }

    /// The format of the samples that `withPicture` lends. A converted frame is BGRA at `FrameFormat.convertedSize`.
    public var format: PixelFormat {
        switch storage {
        case .planes(let picture): picture.format
        case .converted(let picture): picture.format
        }
    }

    /// Whether the frame was converted to BGRA, at `FrameFormat.convertedSize`.
    public var isConverted: Bool {
        switch storage {
        case .planes: false
        case .converted: true
        }
    }

    /// Whether the decoded planes are available. A converted frame has them only if `FrameFormat.retainsSource` was
    /// set.
    public var hasPlanes: Bool { withPlanes { _ in true } ?? false }

    /// The size at which the frame is displayed without scaling, upright and in square pixels.
    public var displaySize: Size { geometry.displaySize(of: codedSize) }

    /// Lends `body` the samples to show, for the length of the call: the converted samples if there are any, otherwise
    /// the decoded planes.
    public func withPicture<R, E: Error>(_ body: (PixelView) throws(E) -> R) throws(E) -> R {
        switch storage {
        case .planes(let picture): try body(picture.view)
        case .converted(let picture): try body(picture.view)
        }
    }

    /// Lends `body` the decoded planes for the length of the call. Returns nil, without calling `body`, if the planes
    /// were released.
    public func withPlanes<R, E: Error>(_ body: (PixelView) throws(E) -> R) throws(E) -> R? {
        switch storage {
        case .planes(let picture): try body(picture.view)
        case .converted:
            switch source {
            case let source?: try body(source.view)
            case nil: nil
            }
        }
    }

    private var sourceByteCount: Int {
        switch source {
        case let source?: source.byteCount
        case nil: 0
        }
    }

    /// The memory used by the frame's samples, in bytes.
    package var byteCount: Int {
        switch storage {
        case .planes(let picture): picture.byteCount
        case .converted(let picture): picture.buffer.byteCount + sourceByteCount
        }
    }
}
