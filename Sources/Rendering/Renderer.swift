public import Geometry
public import Layers
public import Picture

/// Draws display lists, in whichever way this machine does it best: `GLRenderer` by OpenGL ES, `SoftwareRenderer` by the
/// CPU. There is one for each window; those of one program share their images. Main thread.
@MainActor public protocol Renderer: AnyObject {
    var traits: RendererTraits { get }
    /// Text, icons and still images.
    var images: ImageCache { get }
    /// Whether the last frame lacked text that is being set: a reason to draw another when `images` has something new.
    var lacksImages: Bool { get }
    /// Draws the window's next frame. What no item covers keeps what was there; a surface without a picture is black.
    ///
    /// - Returns: false where there is nothing to draw into, since nobody sees the window: the frame is left out.
    @discardableResult
    func draw(_ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?) throws(RenderingError) -> Bool
    /// Has what was drawn begin to be drawn, where somebody else does that: it will not be shown at once.
    func flush()
    /// The window does not show the last frame any more: all of the next one is shown.
    func invalidate()
    /// Shows the frame that was drawn last, where the surface does not.
    func present() throws(RenderingError)
    /// A renderer for another window, with the same images and programs.
    ///
    /// - Parameter output: what shows the frames that the CPU draws in it; nil for OpenGL, whose context is current.
    func makeSibling(output: (any SoftwareOutput)?) -> any Renderer
    /// How many steps `prewarm` has.
    var prewarmSteps: Int { get }
    /// Makes a part of what drawing needs before it is needed.
    func prewarm(step: Int) throws(RenderingError)
    /// Whether each frame can be read, from the next draw on; that may cost time.
    var keepsPixels: Bool { get set }
    /// What the last frame shows, which was drawn with `keepsPixels`: R, G, B, A bytes, the top row first,
    /// `size.width * 4` bytes a row; alpha is 255. For screenshots: asked before the frame is on the screen.
    func readPixels(_ size: PixelSize) -> [UInt8]
    /// What can hold the pictures of a surface, for this renderer and those that share its images.
    func makeVideoTarget(for use: VideoUse) -> any VideoTarget
    /// Makes what `list` shows the picture of `target`, as large as the list's viewport: drawn 1:1, it is what drawing the
    /// list would have been. What no item covers is black; where the list has `target` itself, it is black.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the picture that `target` had before may be gone then.
    func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError)
}

/// What is to be in a video target.
public enum VideoUse: Sendable {
    /// Pictures that come one after the other.
    case film
    /// What a list shows, once in a while.
    case capture
}

/// What a renderer is, and what it asks of pictures. A value; any thread.
public struct RendererTraits: Hashable, Sendable {
    /// In the driver's words, or the library's: for the statistics and the report.
    public var name: String
    /// The widest and highest picture, in pixels.
    public var largestPicture: Int
    /// Whether samples of more than 8 bits can be drawn as they are.
    public var acceptsDeepSamples: Bool
    /// Whether a film's pictures are to come as BGRA, in the size in which they are seen; as decoded where not.
    public var wantsConvertedFrames: Bool

    public init(name: String, largestPicture: Int, acceptsDeepSamples: Bool, wantsConvertedFrames: Bool) {
        self.name = name
        self.largestPicture = largestPicture
        self.acceptsDeepSamples = acceptsDeepSamples
        self.wantsConvertedFrames = wantsConvertedFrames
    }
}

/// Where the pictures of a surface go: the newest one, and room for the next. Main thread.
@MainActor public protocol VideoTarget: AnyObject {
    var hasPicture: Bool { get }
    /// What is added to red, green and blue as the picture is drawn, each 0…1 (`Brightness.brightnessOffset`); from the next draw on.
    var brightnessOffset: Double { get set }
    /// Makes `view` the newest picture. What is lent is copied, or kept from being written, before the call returns.
    ///
    /// - Parameter room: how large the next pictures may become, while their size changes all the time.
    /// - Throws: `emptyPicture`, `tooLarge`, `unsupportedFormat` or `allocation`; the picture before stays.
    func upload(_ view: PixelView, room: PixelSize?) throws(RenderingError)
    /// Forgets the picture and frees its memory, or keeps that for the next.
    func removePicture(keepsMemory: Bool)

    /// Memory in which pictures of `size` may be made that are shown from there; nil where there is none.
    func lender(for size: PixelSize) -> (any FrameAllocator)?
    /// Whether there is memory, with a picture or without.
    var hasMemory: Bool { get }
}

extension VideoTarget {
    public func upload(_ view: PixelView) throws(RenderingError) { try upload(view, room: nil) }
    public func removePicture() { removePicture(keepsMemory: false) }
    public func lender(for size: PixelSize) -> (any FrameAllocator)? { nil }
}
