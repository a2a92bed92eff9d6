import CGLES
import Geometry
public import Layers
import Picture

/// Draws display lists into whatever framebuffer is current.
///
/// Main thread, with the context it was made in current, from the first call to its release. It owns the context's
/// drawing state: blending, depth and scissor test are off between calls, and what a call needs it sets. Once each kind
/// of item was drawn once, a call allocates nothing.
@MainActor public final class Compositor {
    /// The capabilities of the context that it draws in.
    public let device: GLDevice
    /// Text, icons and still images.
    public let images: ImageCache

    // Made by the first draw.
    private(set) lazy var objects = DrawingObjects()
    private lazy var vertexArray = VertexArray()
    /// Who it is to `images`.
    let viewer: ImageCache.Viewer
    /// What of a shadow is drawn; kept for its storage.
    var pieces: [PixelRect] = []

    /// - Parameter images: where text, icons and still images come from; without it there are none but those that are
    ///   given to it later, and no text.
    public init(device: GLDevice, images: ImageCache? = nil) {
        self.device = device
        self.images = images ?? ImageCache(device: device)
        viewer = self.images.addViewer()
    }

    /// A compositor for another context, which is current and shares objects with that of `other`: with the same
    /// programs and the same images.
    ///
    /// What it draws of a surface is what was last uploaded or captured, in whichever of the contexts that was.
    public init(sharing other: Compositor) {
        device = other.device
        images = other.images
        viewer = images.addViewer()
        objects = other.objects
    }

    // What it owns is freed on the main thread.
    isolated deinit { images.remove(viewer) }

    /// Whether the last frame lacked text that is being set: a reason to draw another when `images` has something new.
    public var lacksImages: Bool { images.lacksImages(viewer) }

    /// Draws `list` over the whole of the current framebuffer's `list.viewport`.
    ///
    /// What no item covers keeps what was there. A surface without a picture is black.
    /// - Throws: `shader` where a program that this list needs first does not compile.
    public func draw(
        _ list: DisplayList, surfaces: (SurfaceID) -> VideoTexture?
    ) throws(RenderingError) {
        guard !list.viewport.isEmpty else { return }
        images.beginFrame(of: viewer)
        try draw(list, on: DrawTarget(size: list.viewport), surfaces: surfaces)
        images.endFrame()
    }

    /// Draws `list` with the pictures that `resources` knows.
    /// - Throws: as `draw(_:surfaces:)`.
    public func draw(_ list: DisplayList, resources: some DrawResources) throws(RenderingError) {
        try draw(list) { resources.texture(for: $0) }
    }

    /// Makes what `list` shows the picture of `surface`, as large as the list's viewport: drawn 1:1, it is what drawing
    /// the list would have been. What no item covers is black.
    ///
    /// Text is there as it would be in a frame. Where some is not, `images.takeFinished` says when another capture has
    /// more of it.
    ///
    /// Drawn on the GPU, into the texture; the framebuffer that is current stays so. `surface` itself is not in the
    /// picture: where the list has it, it is black.
    /// - Throws: as `draw`; `emptyPicture`, `tooLarge` or `allocation` where there is no such texture. The picture that
    ///   `surface` had before may be gone then.
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

    /// Makes what `list` shows, with the pictures that `resources` knows, the picture of `surface`.
    /// - Throws: as `capture(_:into:surfaces:)`.
    public func capture(
        _ list: DisplayList, into surface: VideoTexture, resources: some DrawResources
    ) throws(RenderingError) {
        try capture(list, into: surface) { resources.texture(for: $0) }
    }

    /// Draws outside of any frame: of what comes from other threads, nothing is taken in.
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
                let place = placement.turn == 0 ? placement.destination : placement.clip
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

    /// The program for a variant, made when it is first needed, and in use on return.
    func use(_ variant: ProgramVariant) throws(RenderingError) -> Program { try objects.use(variant) }

    /// Draws the rectangle that the program in use was told of. What comes out premultiplied is laid over what is there.
    func drawRectangle(isPremultiplied: Bool) {
        if isPremultiplied {
            glEnable(GLenum(GL_BLEND))
            glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
        }
        glDrawArrays(GLenum(GL_TRIANGLES), 0, 6)
        if isPremultiplied { glDisable(GLenum(GL_BLEND)) }
    }

    /// Opacity is the blender's constant, so that no shader knows of it and opaque items cost no blending.
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
