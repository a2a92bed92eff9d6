public import Geometry
public import Layers
public import Picture

/// Draws display lists into one window: `GLRenderer` with OpenGL ES, `SoftwareRenderer` on the CPU. All renderers of a
/// program share their images. OpenGL: main thread. Software: any thread (`RenderLock`).
public protocol Renderer: AnyObject {
    /// Its properties, and the kind of frames that it needs.
    var traits: RendererTraits { get }
    /// Whether the film thread may draw with it if the main thread is late.
    var drawsOnAnyThread: Bool { get }
    /// Whether a frame can be drawn and shown without waiting for earlier ones, as far as the renderer knows.
    var isReady: Bool { get }
    /// The cache of text, icons and raster images.
    var images: ImageCache { get }
    /// Whether the last frame lacked text that is being rasterized. If so, draw again when `images` has something new.
    var lacksImages: Bool { get }
    /// Draws the window's next frame. Areas that no item covers keep their content; a surface without a frame is black.
    ///
    /// - Returns: False if there is nothing to draw into because the window is not visible: the frame is left out.
    @discardableResult
    func draw(_ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?) throws(RenderingError) -> Bool
    /// Makes the GPU start drawing, because the frame will not be shown at once.
    func flush()
    /// Call when the window has lost the last frame: the next one is shown as a whole.
    func invalidate()
    /// Whether another thread has shown a frame since the last draw, whose own frame is lost: draw again.
    var isOvertaken: Bool { get }
    /// Shows the last frame drawn, unless the surface's swap does.
    func present() throws(RenderingError)
    /// Makes a renderer for another window, with the same images and programs.
    ///
    /// - Parameter output: Shows the frames drawn by the CPU; nil for OpenGL, whose context must be current.
    func makeSibling(output: (any SoftwareOutput)?) -> any Renderer
    /// The number of steps of `prewarm`.
    var prewarmSteps: Int { get }
    /// Prepares a part of the resources for drawing before it is first needed.
    func prewarm(step: Int) throws(RenderingError)
    /// Whether each frame can be read back, from the next draw on. May cost time.
    var keepsPixels: Bool { get set }
    /// The pixels of the last frame, drawn with `keepsPixels`: R, G, B, A bytes, top row first, `size.width * 4` bytes
    /// per row; alpha is 255. Must be called before the frame is shown. For screenshots.
    func readPixels(_ size: PixelSize) -> [UInt8]
    /// Makes a target for a surface's frames, for this renderer and those that share its images.
    func makeVideoTarget(for use: VideoUse) -> any VideoTarget
    /// Draws `list` into `target` at the size of its viewport. Drawn 1:1, the target then looks like the list. Areas
    /// that no item covers are black, as is `target` itself in the list.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the target may then have lost its previous frame.
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
    /// The occasional capture of a list.
    case capture
}

/// A renderer's properties, and the kind of frames that it needs. A value; any thread.
public struct RendererTraits: Hashable, Sendable {
    /// The name given by the driver or library, for the statistics and the report.
    public var name: String
    /// The largest width or height of a frame, in pixels.
    public var largestPicture: Int
    /// Whether samples of more than 8 bits can be drawn directly.
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

/// The frames of a surface: the newest one, and memory for the next. The same threads as the renderer.
public protocol VideoTarget: AnyObject {
    /// Whether a frame was uploaded and not removed since.
    var hasPicture: Bool { get }
    /// Added to red, green and blue, each 0…1, from the next draw on (`Brightness.brightnessOffset`).
    var brightnessOffset: Double { get set }
    /// Makes `view` the current frame. Its memory is copied, or retained, before the call returns.
    ///
    /// - Parameter capacity: How large the next frames may become while their size is changing.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the previous frame stays.
    func upload(_ view: PixelView, capacity: PixelSize?) throws(RenderingError)
    /// Drops the frame. Its memory is freed, or kept for the next one.
    func removePicture(keepsMemory: Bool)

    /// Memory in which frames of `size` can be made and then drawn without a copy; nil if there is none.
    func lender(for size: PixelSize) -> (any FrameAllocator)?
    /// Memory in which each frame is made over the current one and then drawn without a copy, while sizes change; nil
    /// if there is none. Main thread only.
    ///
    /// - Parameters:
    ///   - size: Of the next frame.
    ///   - capacity: How large the following ones may become.
    func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)?
    /// Whether it holds memory, with or without a frame.
    var hasMemory: Bool { get }
}

extension VideoTarget {
    public func upload(_ view: PixelView) throws(RenderingError) { try upload(view, capacity: nil) }
    public func removePicture() { removePicture(keepsMemory: false) }
    public func lender(for size: PixelSize) -> (any FrameAllocator)? { nil }
    public func overwritingAllocator(for size: PixelSize, capacity: PixelSize) -> (any FrameAllocator)? { nil }
}
