public import GlissadeGeometry
public import GlissadeLayers
public import GlissadePicture

/// Draws display lists into one window: `GLRenderer` with OpenGL ES, `SoftwareRenderer` on the CPU.
///
/// The renderers of all windows share their images.
///
/// Threads: any if `drawsOnAnyThread`, otherwise one. The members take `RenderLock` themselves.
public protocol Renderer: AnyObject {
    /// The renderer's properties, and the kind of frames that it needs.
    var traits: RendererTraits { get }
    /// Whether the film thread may draw with this renderer if the main thread is late.
    var drawsOnAnyThread: Bool { get }
    /// Whether a frame can be drawn and shown without waiting for earlier frames. Also true if the renderer cannot
    /// tell.
    var isReady: Bool { get }
    /// The cache of text, icons and raster images.
    var images: ImageCache { get }
    /// Whether the last frame lacked text or icons that are still being rasterized. If so, draw again when
    /// `images.generation` changes.
    var lacksImages: Bool { get }
    /// Draws the window's next frame. Areas that no item covers keep their content. A surface without a frame is drawn
    /// black.
    ///
    /// - Returns: False if the frame was skipped, for example because the window is not visible and there is nothing to
    ///   draw into.
    @discardableResult
    func draw(_ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?) throws(RenderingError) -> Bool
    /// Makes the GPU start drawing now, for a frame that will be shown later. Does nothing if the renderer does not use
    /// OpenGL.
    func flush()
    /// Marks the content of the window as lost, so that the next frame is shown as a whole.
    func invalidate()
    /// Whether there is no drawn frame to show. If this is true after a draw, another thread has shown a frame since
    /// the draw, and the caller must draw again. Always false if `drawsOnAnyThread` is false.
    var isOvertaken: Bool { get }
    /// Shows the last frame drawn.
    ///
    /// - Throws: `presentation` if the frame cannot be shown, `driver` if OpenGL has failed.
    func present() throws(RenderingError)
    /// Makes a renderer for another window. Both renderers share images and, with OpenGL, programs.
    ///
    /// - Parameter output: The other window's output, for a software renderer. If nil, the new renderer's frames stay
    ///   in memory. An OpenGL renderer ignores this parameter; the other window's context must be current.
    func makeSibling(output: (any SoftwareOutput)?) -> any Renderer
    /// The number of steps of `prewarm`; 0 if drawing needs no preparation.
    var prewarmSteps: Int { get }
    /// Runs one step of the preparation for drawing. Call it between frames: a frame that has been drawn but not shown
    /// may be lost.
    ///
    /// - Parameter step: 0..<`prewarmSteps`.
    func prewarm(step: Int) throws(RenderingError)
    /// Whether the next frames are drawn in such a way that `readPixels` can read them. May slow down drawing.
    var keepsPixels: Bool { get set }
    /// Returns the pixels of the last frame, for screenshots: R, G, B, A bytes, top row first, `size.width * 4` bytes
    /// per row. Alpha is 255. The frame must have been drawn while `keepsPixels` was true, and must not have been shown
    /// yet.
    func readPixels(_ size: PixelSize) -> [UInt8]
    /// Makes a target for a surface's frames, for use with this renderer and its siblings.
    func makeVideoTarget(for use: VideoUse) -> any VideoTarget
    /// Draws `list` as the frame of `target`, at the size of the list's viewport. Areas that no item covers are black.
    /// If the list contains the surface of `target`, the surface is drawn black.
    ///
    /// - Throws: The errors of `draw`, and also `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`. After
    ///   an error, the target may have lost its previous frame.
    func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError)
}

extension Renderer {
    public var drawsOnAnyThread: Bool { false }
    public var isReady: Bool { true }
    public var isOvertaken: Bool { false }

    /// Draws `list` into memory, at the size of the list's viewport, and returns the pixels: R, G, B, A bytes, top row
    /// first, without padding. Alpha is 255. Areas that no item covers are black. Waits until all is drawn. With OpenGL,
    /// the renderer's context is current afterwards.
    ///
    /// - Throws: The errors of `capture`.
    public func pixels(
        of list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) -> [UInt8] {
        let target = makeVideoTarget(for: .capture)
        try capture(list, into: target, surfaces: surfaces)
        return target.readPixels()
    }
}

/// The purpose of a video target, which determines how much memory it uses.
public enum VideoUse: Sendable {
    /// The frames of a film, one after the other.
    case film
    /// Occasional captures of a display list.
    case capture
}

/// A renderer's properties, and the kind of frames that it needs.
///
/// Threads: any.
public struct RendererTraits: Hashable, Sendable {
    /// The name of the renderer in the statistics and the report. With OpenGL, it is GL_RENDERER. Otherwise, it names
    /// the software library and the output method.
    public var name: String
    /// The maximum width and height of frames that the renderer accepts, in pixels.
    public var largestPicture: Int
    /// Whether frames with more than 8 bits per sample are accepted.
    public var acceptsDeepSamples: Bool
    /// Whether frames must be converted to BGRA at the size at which they are drawn. If false, frames can be drawn as
    /// they were decoded.
    public var wantsConvertedFrames: Bool

    public init(name: String, largestPicture: Int, acceptsDeepSamples: Bool, wantsConvertedFrames: Bool) {
        self.name = name
        self.largestPicture = largestPicture
        self.acceptsDeepSamples = acceptsDeepSamples
        self.wantsConvertedFrames = wantsConvertedFrames
    }
}

/// Holds the newest frame of a surface (`SurfaceID`), and memory for the next frames. Used on the same threads as the
/// renderer.
public protocol VideoTarget: AnyObject {
    /// Where the frame is, for the renderer that draws it.
    var backing: VideoBacking { get }
    /// Whether the target holds a frame.
    var hasPicture: Bool { get }
    /// The offset that is added to red, green and blue (0…1) when the frame is drawn (`Brightness.brightnessOffset`).
    /// Applies from the next draw.
    var brightnessOffset: Double { get set }
    /// Makes `view` the newest frame. Its pixels are copied before the call returns, unless they are in memory from one
    /// of the target's allocators.
    ///
    /// - Parameter capacity: The largest size expected for the next frames, if their size keeps changing; otherwise
    ///   nil.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the previous frame stays.
    func upload(_ view: PixelView, capacity: PixelSize?) throws(RenderingError)
    /// Drops the frame. If `keepsMemory` is true, the memory is kept for the next frame. Otherwise, it is freed.
    func removePicture(keepsMemory: Bool)

    /// Returns an allocator for frames of `size`. Such frames are drawn without a copy. Nil if frames must be copied.
    func allocator(for size: PixelSize) -> (any FrameAllocator)?
    /// Returns an allocator for frames of changing size. Such frames are drawn without a copy. Nil if frames must be
    /// copied.
    ///
    /// Each frame overwrites the current one. The caller must hold `RenderLock` from the time it starts to write a
    /// frame until the frame is uploaded.
    ///
    /// - Parameters:
    ///   - size: The size of the next frame.
    ///   - capacity: The largest size expected for the frames after it.
    func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)?
    /// Whether the target holds memory, with or without a frame.
    var hasMemory: Bool { get }
    /// Returns the pixels of a frame that `Renderer.capture` has drawn: R, G, B, A bytes, top row first, without
    /// padding. Alpha is 255. Empty if there is no frame. Waits until the frame is drawn.
    func readPixels() -> [UInt8]
}

/// Where the frame of a `VideoTarget` is. A renderer draws those that it can read, and a black area for others.
public enum VideoBacking {
    /// In textures, which `GLRenderer` draws.
    case texture(VideoTexture)
    /// In memory, which `SoftwareRenderer` draws.
    case memory(SoftwareSurface)
    /// Nowhere.
    case none

    /// The textures with the frame; nil if it is elsewhere.
    var texture: VideoTexture? { if case .texture(let texture) = self { texture } else { nil } }
    /// The memory with the frame; nil if it is elsewhere.
    var memory: SoftwareSurface? { if case .memory(let surface) = self { surface } else { nil } }
}

extension VideoTarget {
    public func upload(_ view: PixelView) throws(RenderingError) { try upload(view, capacity: nil) }
    public func removePicture() { removePicture(keepsMemory: false) }
    public func allocator(for size: PixelSize) -> (any FrameAllocator)? { nil }
    public func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)? { nil }
}
