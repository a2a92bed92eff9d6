import GlissadeCGLES
import GlissadeGeometry
public import GlissadeLayers
import GlissadePicture

/// Draws display lists into the current framebuffer.
///
/// The compositor owns the drawing state of the context: blending, depth test and scissor test are off between calls,
/// and each call sets all other state that it needs. Once each kind of item has been drawn, a call allocates no memory.
///
/// Threads: any thread that holds `RenderLock`. The context in which the compositor was created must be current when
/// the compositor is used and released.
public final class Compositor {
    /// The capabilities of the context that the compositor draws in.
    public let device: GLDevice
    /// The cache of text, icons and raster images.
    public let images: ImageCache

    // `objects` and `vertexArray` are made at the first draw.
    private(set) lazy var objects = DrawingObjects()
    private lazy var vertexArray = VertexArray()
    let viewer: ImageCache.Viewer
    /// The pieces into which the shadow being drawn is divided. Stored here so that draws can reuse the array.
    var pieces: [PixelRect] = []

    /// - Parameter images: The cache of text, icons and raster images; nil creates one without text and icons.
    public init(device: GLDevice, images: ImageCache? = nil) {
        self.device = device
        self.images = images ?? ImageCache(device: device)
        viewer = self.images.addViewer()
    }

    /// Creates a compositor for another context, with the programs and images of `other`. The new compositor's context
    /// must be current, and share objects with the context of `other`.
    ///
    /// Surfaces are shared too. The compositor draws the newest frame of a surface, no matter in which context that
    /// frame was uploaded or captured.
    public init(sharing other: Compositor) {
        device = other.device
        images = other.images
        viewer = images.addViewer()
        objects = other.objects
    }

    deinit { RenderLock.withLock { images.remove(viewer) } }

    /// Whether the last frame lacked text or icons that are still being rasterized. If so, draw again when
    /// `images.generation` changes.
    public var lacksImages: Bool { images.lacksImages(viewer) }

    /// Draws `list` into the current framebuffer, at the size of the list's viewport.
    ///
    /// Areas that no item covers keep their content. A surface without a frame is drawn black.
    /// - Throws: `shader` if a program that is used for the first time does not compile or link.
    public func draw(
        _ list: DisplayList, surfaces: (SurfaceID) -> VideoTexture?
    ) throws(RenderingError) {
        guard !list.viewport.isEmpty else { return }
        images.beginFrame(of: viewer)
        try draw(list, on: DrawTarget(size: list.viewport), surfaces: surfaces)
        images.endFrame()
    }

    /// Draws `list` as the frame of `surface`, at the size of the list's viewport. Areas that no item covers are black.
    /// If the list contains `surface` itself, it is drawn black.
    ///
    /// Text may still be missing, as in a frame. Once `images.takeFinished` returns true, a new capture contains more
    /// of the text.
    ///
    /// Before the call returns, the previous framebuffer is bound again.
    ///
    /// - Throws: The errors of `draw`, and `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation` if the
    ///   texture cannot be made. After an error, the previous frame of `surface` may be lost.
    public func capture(
        _ list: DisplayList, into surface: VideoTexture, surfaces: (SurfaceID) -> VideoTexture?
    ) throws(RenderingError) {
        try surface.capture(list.viewport) { () throws(RenderingError) in
            let target = DrawTarget(size: list.viewport, isTopFirst: true)
            target.clear(target.bounds, red: 0, green: 0, blue: 0)
            try draw(list, on: target) { id in
                let texture = surfaces(id)
                return texture === surface ? nil : texture
            }
        }
    }

    /// Draws `list` on `target` without beginning a frame. No finished images are taken from the raster thread.
    func draw(
        _ list: DisplayList, on target: DrawTarget, surfaces: (SurfaceID) -> VideoTexture?
    ) throws(RenderingError) {
        glViewport(0, 0, GLsizei(target.size.width), GLsizei(target.size.height))
        glDisable(GLenum(GL_DEPTH_TEST))
        glDisable(GLenum(GL_CULL_FACE))
        glDisable(GLenum(GL_BLEND))
        glDisable(GLenum(GL_SCISSOR_TEST))
        glBindVertexArray(vertexArray.name)
        for item in list.items {
            switch item {
            case .fill(let rect, let color):
                try fill(rect.intersection(target.bounds), color, on: target)
            case .box(let placement):
                try draw(placement, on: target)
            case .shadow(let placement):
                try draw(placement, on: target)
            case .image(let placement):
                try draw(placement, scale: list.scale, on: target)
            case .surface(let placement):
                let place = placement.quarterTurns == 0 ? placement.destination : placement.clip
                let clip = placement.clip.intersection(place).intersection(target.bounds)
                guard !clip.isEmpty, placement.opacity > 0 else { continue }
                let texture = surfaces(placement.surface)
                guard let texture, texture.hasPicture else {
                    try fillBlack(placement, clip: clip, on: target)
                    continue
                }
                try draw(texture, placement, clip: clip, on: target)
            }
        }
    }

    /// Makes the program for a variant current, and returns it. The program is compiled when it is first needed.
    func use(_ variant: ProgramVariant) throws(RenderingError) -> Program { try objects.use(variant) }

    /// Draws the current program's rectangle. If `isPremultiplied` is true, the rectangle is blended over the target.
    /// Otherwise, it replaces the target's content.
    func drawRectangle(isPremultiplied: Bool) {
        if isPremultiplied {
            glEnable(GLenum(GL_BLEND))
            glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        }
        glDrawArrays(GLenum(GL_TRIANGLES), 0, 6)
        if isPremultiplied { glDisable(GLenum(GL_BLEND)) }
    }

    /// Draws the current program's rectangle with `opacity`, which is applied by blending. If the opacity is 1 or more,
    /// the rectangle replaces the target's content.
    func drawRectangle(opacity: Double) {
        if opacity < 1 {
            glEnable(GLenum(GL_BLEND))
            glBlendFunc(GLenum(GL_CONSTANT_ALPHA), GLenum(GL_ONE_MINUS_CONSTANT_ALPHA))
            glBlendColor(0, 0, 0, Float(opacity))
        }
        glDrawArrays(GLenum(GL_TRIANGLES), 0, 6)
        if opacity < 1 { glDisable(GLenum(GL_BLEND)) }
    }
}
