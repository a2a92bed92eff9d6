import CGLES
import Motion
public import Picture

/// In which order the bytes of an RGB picture's pixel lie in memory.
public enum PixelOrder: Hashable, Sendable {
    /// Red first, as `PlaneLayout.rgba` says.
    case rgba
    /// Blue first: what windows have, so that a rasterizer on the CPU can copy rows instead of turning pixels round.
    case bgra
}

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
    /// Textures are made anew only where the size, layout, depth or order changes.
    /// - Parameter order: of the bytes of an `rgba` picture; `bgra` only where `device.hasBGRA`.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the picture before stays.
    public func upload(_ view: PictureView, order: PixelOrder = .rgba) throws(RenderingError) {
        let format = view.format
        if let refusal = device.refusal(of: format) { throw refusal }
        if order == .bgra && !device.hasBGRA { throw .unsupportedFormat(format) }
        if sets.first?.holds(format, order) != true {
            // A swap on a software rasterizer ends all drawing before it returns: nothing can be waited for, and one
            // set stays in the cache.
            sets = try Self.makeSets(format, order, count: device.isSoftware ? 1 : 3)
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
        _ format: PictureFormat, _ order: PixelOrder, count: Int
    ) throws(RenderingError) -> [PlaneSet] {
        while glGetError() != GLenum(GL_NO_ERROR) {}  // What others left must not be blamed on the allocation.
        let sets = (0..<count).map { _ in PlaneSet(format, order) }
        let code = glGetError()
        if code != GLenum(GL_NO_ERROR) { throw .allocation(format.size, code: code) }
        return sets
    }
}

/// The textures of one picture.
@MainActor private struct PlaneSet {
    private let format: PictureFormat
    private let order: PixelOrder
    private let planes: [PlaneTexture]

    init(_ format: PictureFormat, _ order: PixelOrder) {
        self.format = format
        self.order = order
        planes = (0..<format.planeCount).map { PlaneTexture(format, plane: $0, order: order) }
    }

    var copyableTexture: GLuint? { format.layout == .rgba && order == .bgra ? planes[0].name : nil }

    /// Whether pictures of `other` fit as they are; what their colours mean does not matter here.
    func holds(_ other: PictureFormat, _ order: PixelOrder) -> Bool {
        format.size == other.size && format.layout == other.layout && format.bytesPerSample == other.bytesPerSample
            && self.order == order
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
