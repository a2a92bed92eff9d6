import CFFmpeg
public import Motion
public import Picture

/// A decoded picture, owned by whoever holds it. Given on, never shared.
public struct VideoFrame: ~Copyable, @unchecked Sendable {
    // @unchecked: the owner is unique, and FFmpeg's buffer references beneath are atomic.

    /// When it is to be shown, on the media's own time line.
    public let presentationTime: MediaTime
    /// How long it is to be shown, as far as the media tells.
    public let duration: Duration
    /// How its planes lie and what they mean.
    public let format: PictureFormat
    /// The shape of its pixels and which way is up.
    public let geometry: PictureGeometry
    /// Which seek it belongs to.
    let generation: Int
    private let frame: UnsafeMutablePointer<AVFrame>
    private let resolved: ResolvedPicture?
    /// Copies of what `resolved` says: an optional that owns cannot be looked into without taking it apart.
    private let resolvedMemory: UnsafeRawPointer?
    private let resolvedByteCount: Int
    /// The size in pixels, before rotation, to which the decoder's side has already brought the picture, if it has.
    public let resolvedSize: PixelSize?

    /// A picture that was converted and scaled to the size at which it will be seen.
    struct ResolvedPicture: ~Copyable {
        let buffer: PixelBuffer
        let size: PixelSize

        var view: PictureView { ResolvedPicture.view(UnsafeRawPointer(buffer.memory), size) }

        static func view(_ memory: UnsafeRawPointer, _ size: PixelSize) -> PictureView {
            PictureView(
                format: PictureFormat(size: size, layout: .rgb(.bgra), range: .full),
                PictureView.Plane(base: memory, stride: size.width * 4))
        }
    }

    /// Takes over `frame`.
    init(
        owning frame: UnsafeMutablePointer<AVFrame>, format: PictureFormat, geometry: PictureGeometry,
        presentationTime: MediaTime, duration: Duration, generation: Int, resolved: consuming ResolvedPicture?
    ) {
        self.frame = frame
        self.format = format
        self.geometry = geometry
        self.presentationTime = presentationTime
        self.duration = duration
        self.generation = generation
        switch resolved {
        case .some(let picture):
            resolvedMemory = UnsafeRawPointer(picture.buffer.memory)
            resolvedByteCount = picture.buffer.byteCount
            resolvedSize = picture.size
        case .none:
            resolvedMemory = nil
            resolvedByteCount = 0
            resolvedSize = nil
        }
        self.resolved = resolved
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// What the frame takes in memory.
    var byteCount: Int {
        var bytes = resolvedByteCount
        for plane in 0..<format.planeCount { bytes += stride(plane) * format.planeSize(plane).height }
        return bytes
    }

    /// Lends the decoded planes for the length of the call.
    public func withPicture<R, E: Error>(_ body: (PictureView) throws(E) -> R) throws(E) -> R {
        let data = frame.pointee.data
        func plane(_ base: UnsafeMutablePointer<UInt8>?, _ index: Int) -> PictureView.Plane? {
            base.map { PictureView.Plane(base: UnsafeRawPointer($0), stride: stride(index)) }
        }
        // `PictureFormat(frame)` has seen to it that the planes of the format are there.
        guard let first = plane(data.0, 0) else { fatalError("a decoded frame without a first plane") }
        return try body(PictureView(format: format, first, plane(data.1, 1), plane(data.2, 2)))
    }

    /// Lends the resolved picture, BGRA at `resolvedSize`; nil where there is none.
    public func withResolvedPicture<R, E: Error>(_ body: (PictureView) throws(E) -> R) throws(E) -> R? {
        guard let size = resolvedSize, let memory = resolvedMemory else { return nil }
        return try body(ResolvedPicture.view(memory, size))
    }

    private func stride(_ plane: Int) -> Int {
        let strides = frame.pointee.linesize
        return switch plane {
        case 0: Int(strides.0)
        case 1: Int(strides.1)
        default: Int(strides.2)
        }
    }
}
