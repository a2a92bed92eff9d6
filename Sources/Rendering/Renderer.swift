public import Geometry
public import Layers
public import Picture

/// Draws display lists into one window: `GLRenderer` with OpenGL ES, `SoftwareRenderer` on the CPU.
///
/// The renderers of all windows share their images.
///
/// Threads: the main thread with OpenGL; any thread with software rendering (`RenderLock`).
public protocol Renderer: AnyObject {
    /// The renderer's properties, and the kind of frames that it needs.
    var traits: RendererTraits { get }
    /// Whether the film thread may draw with this renderer if the main thread is late.
    var drawsOnAnyThread: Bool { get }
    /// Whether a frame can be drawn and shown without waiting for earlier ones, as far as the renderer knows.
    var isReady: Bool { get }
    /// The cache of text, icons and raster images.
    var images: ImageCache { get }
    /// Whether the last frame lacked text that is being rasterized. If so, draw again when `images.generation`
    /// changes.
    var lacksImages: Bool { get }
    /// Draws the window's next frame. Areas that no item covers keep their content; a surface without a frame is black.
    ///
    /// - Returns: False if the frame was skipped, because the window is not visible and there is nothing to draw
    ///   into.
    @discardableResult
    func draw(_ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?) throws(RenderingError) -> Bool
    /// Makes the GPU start drawing, because the frame will not be shown at once.
    func flush()
    /// Marks the window's content as lost, so that the next frame is shown as a whole.
    func invalidate()
    /// Whether another thread has shown a frame since the last draw. The frame of that draw is then lost: draw again.
    var isOvertaken: Bool { get }
    /// Shows the last frame drawn. With OpenGL, the surface's swap does this instead.
    func present() throws(RenderingError)
    /// Makes a renderer for another window, with the same images and programs.
    ///
    /// - Parameter output: The output of a software renderer. Nil for OpenGL, for which the other window's context
    ///   must be current.
    func makeSibling(output: (any SoftwareOutput)?) -> any Renderer
    /// The number of steps of `prewarm`.
    var prewarmSteps: Int { get }
    /// Prepares some of the resources for drawing before their first use.
    ///
    /// - Parameter step: 0..<`prewarmSteps`.
    func prewarm(step: Int) throws(RenderingError)
    /// Whether frames can be read back, from the next draw on. May slow down drawing.
    var keepsPixels: Bool { get set }
    /// Returns the pixels of the last frame, for screenshots: R, G, B, A bytes, top row first, `size.width * 4` bytes
    /// per row; alpha is 255. The frame must be drawn with `keepsPixels`, and not shown yet.
    func readPixels(_ size: PixelSize) -> [UInt8]
    /// Makes a target for a surface's frames, for use with this renderer and its siblings.
    func makeVideoTarget(for use: VideoUse) -> any VideoTarget
    /// Makes `list` the frame of `target`, at the size of the list's viewport. Areas that no item covers are black.
    /// If the list contains the surface of `target`, that is drawn black.
    ///
    /// - Throws: As `draw`, and `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`. The target may then
    ///   have lost its previous frame.
    func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError)
}

extension Renderer {
    public var drawsOnAnyThread: Bool { false }
    public var isReady: Bool { true }
    public var isOvertaken: Bool { false }
}

/// The purpose of a video target.
public enum VideoUse: Sendable {
    /// A sequence of frames.
    case film
    /// Occasional captures of a display list.
    case capture
}

/// A renderer's properties, and the kind of frames that it needs. A value; any thread.
public struct RendererTraits: Hashable, Sendable {
    /// The name for the statistics and the report: GL_RENDERER, or the software library and its output method.
    public var name: String
    /// The largest width or height of a frame, in pixels.
    public var largestPicture: Int
    /// Whether frames with more than 8 bits per sample are accepted.
    public var acceptsDeepSamples: Bool
    /// Whether frames must be BGRA at their size on screen, rather than as decoded.
    public var wantsConvertedFrames: Bool

    public init(name: String, largestPicture: Int, acceptsDeepSamples: Bool, wantsConvertedFrames: Bool) {
        self.name = name
        self.largestPicture = largestPicture
        self.acceptsDeepSamples = acceptsDeepSamples
        self.wantsConvertedFrames = wantsConvertedFrames
    }
}

/// Holds a surface's newest frame, and memory for the next ones. Used on the same threads as the renderer.
public protocol VideoTarget: AnyObject {
    /// Whether the target holds a frame.
    var hasPicture: Bool { get }
    /// The offset added to red, green and blue, each 0…1, from the next draw on (`Brightness.brightnessOffset`).
    var brightnessOffset: Double { get set }
    /// Makes `view` the current frame. Its pixels are copied before the call returns or, in lent memory, kept in
    /// place.
    ///
    /// - Parameter capacity: The largest size expected for the next frames while sizes are changing; nil if they are
    ///   not.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the previous frame stays.
    func upload(_ view: PixelView, capacity: PixelSize?) throws(RenderingError)
    /// Drops the frame. Its memory is freed or, with `keepsMemory`, kept for the next one.
    func removePicture(keepsMemory: Bool)

    /// Returns an allocator for frames of `size` that are then drawn without a copy; nil if there is none.
    func lender(for size: PixelSize) -> (any FrameAllocator)?
    /// Returns an allocator for frames of changing size that are then drawn without a copy; nil if there is none.
    /// Each frame overwrites the current one, so the caller must hold `RenderLock` from writing a frame to its
    /// upload.
    ///
    /// - Parameters:
    ///   - size: The size of the next frame.
    ///   - capacity: The largest size expected for the frames after it.
    func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)?
    /// Whether the target holds memory, with or without a frame.
    var hasMemory: Bool { get }
}

extension VideoTarget {
    public func upload(_ view: PixelView) throws(RenderingError) { try upload(view, capacity: nil) }
    public func removePicture() { removePicture(keepsMemory: false) }
    public func lender(for size: PixelSize) -> (any FrameAllocator)? { nil }
    public func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)? { nil }
}
