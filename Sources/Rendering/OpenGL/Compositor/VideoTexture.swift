import CGLES
public import Geometry
public import Picture

/// The pictures of one video surface on the GPU: the newest one, and room for the next.
///
/// Main thread, with the context it was made in current, from the first call to its release. Several sets of textures
/// take turns, so that an upload need not wait for the draws of the picture before it.
@MainActor public final class VideoTexture {
    /// The capabilities of the context that the textures belong to.
    public let device: GLDevice
    /// The format of the newest picture; nil before the first.
    public private(set) var format: PixelFormat?
    /// The newest picture's samples to RGB, as `mat4x3` columns.
    private(set) var conversion = InlineArray<12, Float>(repeating: 0)

    /// What is added to red, green and blue as the picture is drawn, each 0…1 (`Brightness.brightnessOffset`); from the next draw on.
    ///
    /// Costs nothing where the picture is Y'CbCr, and next to nothing where it is RGB.
    public var brightnessOffset = 0.0 {
        didSet {
            guard brightnessOffset != oldValue else { return }
            if !brightnessOffset.isFinite { brightnessOffset = 0 }
            setConversion()
        }
    }

    private var sets: [PlaneSet] = []
    private var newest = 0
    /// How many pictures in a row had more room than they need.
    private var roomy = 0
    /// After so many, five to twelve seconds of most films as they play, they get textures of their size: a window that goes to fullscreen, or a film
    /// to a window of its own, is likely to come back soon.
    private static let patience = 300
    /// How many sets take turns.
    private let count: Int

    /// - Parameter count: how many sets of textures take turns, so that an upload waits for no draw.
    public init(device: GLDevice, count: Int = 3) {
        self.device = device
        self.count = count
    }

    isolated deinit {}  // The textures are freed with the sets, and that must happen on the main thread.

    public var hasPicture: Bool { format != nil }

    /// Whether there are textures, with a picture or without.
    public var hasTextures: Bool { !sets.isEmpty }

    /// Makes `view` the newest picture. The planes are copied before the call returns.
    ///
    /// Textures are made anew only where the size, layout or depth changes.
    /// - Parameter room: how large the next pictures may become: for RGB pictures whose size changes all the time, of which
    ///   each is then a part of the same texture. Nil takes as much as there is of the picture; of a texture that was larger
    ///   until now, for 300 pictures, a part.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the picture before stays.
    public func upload(_ view: PixelView, room: PixelSize? = nil) throws(RenderingError) {
        try prepare(view.format, room: room, sets: count)
        newest = (newest + 1) % sets.count
        sets[newest].upload(view)
        pictureChanged(to: view.format)
    }

    /// Makes what `draw` draws the newest picture, `size` large and its top row first.
    ///
    /// - Throws: as `upload`, and what `draw` throws; there may be no picture then.
    func capture(_ size: PixelSize, _ draw: () throws(RenderingError) -> Void) throws(RenderingError) {
        let format = PixelFormat(size: size, layout: .rgb(.rgba))
        // Taken once in a while: nobody waits for the one before.
        try prepare(format, isExact: true, sets: 1)
        newest = 0
        guard sets[0].framebuffer.isComplete else {
            removePicture()
            throw .unsupportedFormat(format)
        }
        do throws(RenderingError) {
            try sets[0].framebuffer.whileDrawing(draw)
        } catch {
            removePicture()
            throw error
        }
        pictureChanged(to: format)
    }

    /// Forgets the picture and frees the textures, or keeps them for the next.
    public func removePicture(keepsTextures: Bool = false) {
        format = nil
        if !keepsTextures { sets = [] }
    }

    /// How large the textures are: at least as large as the picture.
    var storageSize: PixelSize { sets.first?.size ?? PixelSize(width: 1, height: 1) }

    /// Textures for pictures of `format`: those that are there, where they fit.
    ///
    /// - Parameter isExact: the picture is not to be a part of a texture.
    private func prepare(
        _ format: PixelFormat, room: PixelSize? = nil, isExact: Bool = false, sets count: Int
    ) throws(RenderingError) {
        if let refusal = device.refusal(of: format) { throw refusal }
        var storage = format
        if case .rgb = format.layout, !isExact {
            func grow(to size: PixelSize?) {
                guard let size else { return }
                storage.size.width = min(max(storage.size.width, size.width), device.maxTextureSize)
                storage.size.height = min(max(storage.size.height, size.height), device.maxTextureSize)
            }
            grow(to: room)
            if let first = sets.first, first.hasRoom(for: format), sets.count >= count {
                roomy = room != nil || first.holds(format) ? 0 : roomy + 1
                if roomy < Self.patience { return }
            }
        }
        roomy = 0
        if let first = sets.first, first.holds(storage), sets.count >= count { return }
        do throws(RenderingError) {
            sets = try Self.makeSets(storage, count: count)
        } catch {
            // What may come is worth less than what is there.
            guard storage.size != format.size else { throw error }
            sets = try Self.makeSets(format, count: count)
        }
        newest = 0
    }

    private func pictureChanged(to format: PixelFormat) {
        guard format != self.format else { return }
        self.format = format
        setConversion()
    }

    private func setConversion() {
        guard let format else { return }
        var vFirst = false
        if case .semiPlanar(true) = format.layout { vFirst = true }
        conversion = ColorConversion(format, brightnessOffset: brightnessOffset).columns(vFirst: vFirst)
    }

    /// Binds the newest picture's planes to the texture units 0, 1 and 2. Only while there is a picture.
    func bindPlanes() { sets[newest].bind() }

    private static func makeSets(
        _ format: PixelFormat, count: Int
    ) throws(RenderingError) -> [PlaneSet] {
        GLErrors.discard()
        let sets = (0..<count).map { _ in PlaneSet(format) }
        let code = glGetError()
        if code != GLenum(GL_NO_ERROR) { throw .allocation(format.size, code: code) }
        return sets
    }
}

/// The textures of one picture.
@MainActor private struct PlaneSet {
    private let format: PixelFormat
    private let planes: [PlaneTexture]

    init(_ format: PixelFormat) {
        self.format = format
        planes = (0..<format.planeCount).map { PlaneTexture(format, plane: $0) }
    }

    var first: PlaneTexture { planes[0] }
    var size: PixelSize { format.size }
    var framebuffer: TextureFramebuffer { planes[0].framebuffer }

    /// Whether pictures of `other` fit as they are; what their colours mean does not matter here.
    func holds(_ other: PixelFormat) -> Bool {
        format.size == other.size && format.layout == other.layout && format.bytesPerSample == other.bytesPerSample
    }

    /// Whether pictures of `other` fit into a part of it.
    func hasRoom(for other: PixelFormat) -> Bool {
        format.size.width >= other.size.width && format.size.height >= other.size.height
            && format.layout == other.layout && format.bytesPerSample == other.bytesPerSample
    }

    func upload(_ view: PixelView) {
        glActiveTexture(GLenum(GL_TEXTURE0))
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
        for index in planes.indices {
            planes[index].upload(view[plane: index], size: view.format.planeSize(index))
        }
    }

    func bind() {
        for index in planes.indices {
            glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(index))
            glBindTexture(GLenum(GL_TEXTURE_2D), planes[index].name)
        }
    }
}
