import CFFmpeg
public import Geometry
public import Media
public import Picture
import PixelConversion
public import Time

/// A decoded picture, owned by whoever holds it. Given on, never shared.
public struct VideoFrame: ~Copyable, Sendable {
    /// When it is to be shown, on the media's own time line.
    public let presentationTime: MediaTime
    /// How long it is to be shown, as far as the media tells.
    public let duration: Duration
    /// The size that was decoded.
    public let codedSize: PixelSize
    /// The shape of its pixels and which way is up.
    public let geometry: PixelGeometry
    /// What was added to red, green and blue when it was resolved; 0 where it was not.
    public let brightnessOffset: Double
    /// What it has cost so far.
    public let cost: DecodingCost
    /// Which seek it belongs to.
    let generation: Int
    private let storage: Storage
    /// What a resolved picture was made from, where that was asked for.
    private let source: DecodedPicture?

    /// What holds the samples.
    enum Storage: ~Copyable, Sendable {
        /// As the decoder or the converter left them.
        case planes(DecodedPicture)
        /// Converted and scaled to the size at which they will be seen.
        case resolved(ConvertedPicture)
    }

    init(
        _ storage: consuming Storage, source: consuming DecodedPicture? = nil, codedSize: PixelSize,
        geometry: PixelGeometry, presentationTime: MediaTime, duration: Duration, generation: Int,
        brightnessOffset: Double = 0, cost: DecodingCost = DecodingCost()
    ) {
        self.storage = storage
        self.source = source
        self.codedSize = codedSize
        self.geometry = geometry
        self.presentationTime = presentationTime
        self.duration = duration
        self.generation = generation
        self.brightnessOffset = brightnessOffset
        self.cost = cost
    }

    /// How the samples of `withPicture` lie and what they mean. A resolved picture is BGRA, of the size at which it is to
    /// be seen.
    public var format: PixelFormat {
        switch storage {
        case .planes(let picture): picture.format
        case .resolved(let picture): picture.format
        }
    }

    /// Whether the decoder's side has brought it to the size at which it is to be seen.
    public var isConverted: Bool {
        switch storage {
        case .planes: false
        case .resolved: true
        }
    }

    /// Whether it has the samples that were decoded: always, but for a picture that was resolved for a request that does
    /// not keep them.
    public var hasPlanes: Bool { withPlanes { _ in true } ?? false }

    /// The size at which it will be seen, upright and in square pixels, where nothing scales it.
    public var displaySize: Size { geometry.displaySize(of: codedSize) }

    /// Lends the picture as it is to be shown for the length of the call: resolved, where it was resolved.
    public func withPicture<R, E: Error>(_ body: (PixelView) throws(E) -> R) throws(E) -> R {
        switch storage {
        case .planes(let picture): try body(picture.view)
        case .resolved(let picture): try body(picture.view)
        }
    }

    /// Lends the samples that were decoded for the length of the call; nil where they were let go.
    public func withPlanes<R, E: Error>(_ body: (PixelView) throws(E) -> R) throws(E) -> R? {
        switch storage {
        case .planes(let picture): try body(picture.view)
        case .resolved:
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

    /// What the frame takes in memory.
    package var byteCount: Int {
        switch storage {
        case .planes(let picture): picture.byteCount
        case .resolved(let picture): picture.buffer.byteCount + sourceByteCount
        }
    }
}
