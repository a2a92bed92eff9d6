import CGLES
import Motion
public import Picture

/// The pictures of one video surface on the GPU: the newest one, and room for the next.
///
/// Main thread, with the context it was made in current, from the first call to its release. Several sets of textures
/// take turns, so that an upload need not wait for the draws of the picture before it.
@MainActor public final class SurfaceTexture {
    public let device: GLDevice
    /// The format of the newest picture; nil before the first.
    public private(set) var format: PictureFormat?
    /// The newest picture's samples to RGB, as `mat4x3` columns.
    private(set) var conversion = InlineArray<12, Float>(repeating: 0)

    private var sets: [PlaneSet] = []
    private var newest = 0

    public init(device: GLDevice) { self.device = device }

    isolated deinit {}  // The textures are freed with the sets, and that must happen on the main thread.

    public var hasPicture: Bool { format != nil }

    /// Makes `view` the newest picture. The planes are copied before the call returns.
    ///
    /// Textures are made anew only where the size, layout or depth changes.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the picture before stays.
    public func upload(_ view: PictureView) throws(RenderingError) {
        let format = view.format
        if let refusal = device.refusal(of: format) { throw refusal }
        if sets.first?.holds(format) != true {
            // A swap on a software rasterizer ends all drawing before it returns: nothing can be waited for, and one
            // set stays in the cache.
            sets = try Self.makeSets(format, count: device.isSoftware ? 1 : 3)
            newest = 0
        }
        newest = (newest + 1) % sets.count
        sets[newest].upload(view)
        if format != self.format {
            var vFirst = false
            if case .semiPlanar(true) = format.layout { vFirst = true }
            conversion = ColorConversion(format).columns(vFirst: vFirst)
            self.format = format
        }
    }

    /// Forgets the picture and frees the textures.
    public func removePicture() {
        sets = []
        format = nil
    }

    /// The texture of an RGB picture whose bytes are in a window's order; nil for any other.
    var copyableTexture: UInt32? { format == nil ? nil : sets[newest].copyableTexture }

    /// Binds the newest picture's planes to the texture units 0, 1 and 2. Only while there is a picture.
    func bindPlanes() { sets[newest].bind() }

    private static func makeSets(
        _ format: PictureFormat, count: Int
    ) throws(RenderingError) -> [PlaneSet] {
        while glGetError() != GLenum(GL_NO_ERROR) {}  // What others left must not be blamed on the allocation.
        let sets = (0..<count).map { _ in PlaneSet(format) }
        let code = glGetError()
        if code != GLenum(GL_NO_ERROR) { throw .allocation(format.size, code: code) }
        return sets
    }
}

/// The textures of one picture.
@MainActor private struct PlaneSet {
    private let format: PictureFormat
    private let planes: [PlaneTexture]

    init(_ format: PictureFormat) {
        self.format = format
        planes = (0..<format.planeCount).map { PlaneTexture(format, plane: $0) }
    }

    var copyableTexture: GLuint? { format.layout == .rgb(.bgra) ? planes[0].name : nil }

    /// Whether pictures of `other` fit as they are; what their colours mean does not matter here.
    func holds(_ other: PictureFormat) -> Bool {
        format.size == other.size && format.layout == other.layout && format.bytesPerSample == other.bytesPerSample
    }

    func upload(_ view: PictureView) {
        glActiveTexture(GLenum(GL_TEXTURE0))
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        for index in planes.indices { planes[index].upload(view[plane: index]) }
    }

    func bind() {
        for index in planes.indices {
            glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            glBindTexture(GLenum(GL_TEXTURE_2D), planes[index].name)
        }
    }
}
