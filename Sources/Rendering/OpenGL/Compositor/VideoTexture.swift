import GlissadeCGLES
public import GlissadeGeometry
public import GlissadePicture

/// Holds the newest frame of a surface on the GPU, and textures for the next frames. Several sets of textures are used
/// in turn, so that an upload does not wait for draws of the previous frame.
///
/// Threads: any. To read `format`, or to use internal members, hold `RenderLock`. The other members take it themselves.
/// The current context must share objects with the one in which the textures were made.
public final class VideoTexture {
    /// The capabilities of the context that the textures belong to.
    public let device: GLDevice
    /// The format of the newest frame; nil if there is none.
    public private(set) var format: PixelFormat?
    /// The conversion of the newest frame's samples to RGB, as the columns of a `mat4x3`. Not used for RGB frames.
    private(set) var conversion = InlineArray<12, Float>(repeating: 0)

    /// The offset that is added to red, green and blue (0…1) when the frame is drawn (`Brightness.brightnessOffset`).
    /// Applies from the next draw.
    public var brightnessOffset: Double {
        get { RenderLock.withLock { offset } }
        set {
            RenderLock.withLock {
                guard newValue != offset else { return }
                offset = newValue.isFinite ? newValue : 0
                setConversion()
            }
        }
    }
    private var offset = 0.0

    private var sets: [PlaneSet] = []
    private var newest = 0
    /// The number of consecutive RGB frames that were smaller than their textures.
    private var oversizedCount = 0
    /// The number of consecutive oversized frames after which textures are reallocated at the size of the frame: 5 to
    /// 12 seconds of most films.
    private static let oversizedLimit = 300
    private let count: Int

    /// - Parameter count: The number of texture sets that are used in turn.
    public init(device: GLDevice, count: Int = 3) {
        self.device = device
        self.count = count
    }

    public var hasPicture: Bool { RenderLock.withLock { format != nil } }

    /// Whether there are textures, with or without a frame.
    public var hasTextures: Bool { RenderLock.withLock { !sets.isEmpty } }

    /// Makes `view` the newest frame. The planes are copied before the call returns.
    ///
    /// Textures are reallocated only if the size, layout or bytes per sample of the frame require it.
    ///
    /// - Parameter capacity: The largest size expected for the next frames, for RGB frames whose size keeps changing.
    ///   Each frame then fills a part of the same texture. If nil, textures get the size of the frame. Existing larger
    ///   textures of RGB frames are replaced only after 300 consecutive smaller frames.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the previous frame stays.
    public func upload(_ view: PixelView, capacity: PixelSize? = nil) throws(RenderingError) {
        try GLContext.use { () throws(RenderingError) in
            try prepare(view.format, capacity: capacity, sets: count)
            newest = (newest + 1) % sets.count
            sets[newest].upload(view)
            pictureChanged(to: view.format)
        }
    }

    /// Calls `draw` with a framebuffer of `size` bound, and makes the result the newest frame. `draw` must put the top
    /// row first.
    ///
    /// - Throws: The errors of `upload` and of `draw`. After an error, the previous frame may be lost.
    func capture(_ size: PixelSize, _ draw: () throws(RenderingError) -> Void) throws(RenderingError) {
        let format = PixelFormat(size: size, layout: .rgb(.rgba))
        // Captures are rare: one set is enough.
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

    /// Returns the pixels of the frame: see `VideoTarget.readPixels`.
    public func readPixels() -> [UInt8] {
        GLContext.use {
            guard let format, format.layout == .rgb(.rgba), sets.indices.contains(newest) else { return [] }
            let framebuffer = sets[newest].framebuffer
            framebuffer.context?.makeCurrent()
            return framebuffer.whileReading { device.readPixels(format.size, isTopFirst: true) }
        }
    }

    /// Drops the frame. If `keepsTextures` is true, the textures are kept for the next frame. Otherwise, they are
    /// freed.
    public func removePicture(keepsTextures: Bool = false) {
        GLContext.use {
            format = nil
            if !keepsTextures { sets = [] }
        }
    }

    /// The size of the textures for the first plane; 1 × 1 if there are none. The frame may be smaller.
    var storageSize: PixelSize { sets.first?.size ?? PixelSize(width: 1, height: 1) }

    /// Provides `count` sets of textures for frames of `format`. Existing sets are reused if they fit.
    ///
    /// - Parameter isExact: Whether textures larger than the frame are not allowed.
    private func prepare(
        _ format: PixelFormat, capacity: PixelSize? = nil, isExact: Bool = false, sets count: Int
    ) throws(RenderingError) {
        if let refusal = device.refusal(of: format) { throw refusal }
        var storage = format
        if case .rgb = format.layout, !isExact {
            func grow(to size: PixelSize?) {
                guard let size else { return }
                storage.size.width = min(max(storage.size.width, size.width), device.maxTextureSize)
                storage.size.height = min(max(storage.size.height, size.height), device.maxTextureSize)
            }
            grow(to: capacity)
            if let first = sets.first, first.canContain(format), sets.count >= count {
                oversizedCount = capacity != nil || first.holds(format) ? 0 : oversizedCount + 1
                if oversizedCount < Self.oversizedLimit { return }
            }
        }
        oversizedCount = 0
        if let first = sets.first, first.holds(storage), sets.count >= count { return }
        do throws(RenderingError) {
            sets = try Self.makeSets(storage, count: count)
        } catch {
            // Failing to reserve space for larger frames must not affect a frame that fits now.
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
        conversion = ColorConversion(format, brightnessOffset: offset).columns(vFirst: vFirst)
    }

    /// Binds each plane of the newest frame to a texture unit, starting with unit 0. There must be a frame.
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

/// The textures of one frame, one for each plane.
private struct PlaneSet {
    private let format: PixelFormat
    private let planes: [PlaneTexture]

    init(_ format: PixelFormat) {
        self.format = format
        planes = (0..<format.planeCount).map { PlaneTexture(format, plane: $0) }
    }

    var first: PlaneTexture { planes[0] }
    var size: PixelSize { format.size }
    var framebuffer: TextureFramebuffer { planes[0].framebuffer }

    /// Whether frames of format `other` fill these textures exactly. The color space need not be the same.
    func holds(_ other: PixelFormat) -> Bool {
        format.size == other.size && format.layout == other.layout && format.bytesPerSample == other.bytesPerSample
    }

    /// Whether frames of format `other` fit into these textures, which may be larger.
    func canContain(_ other: PixelFormat) -> Bool {
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
