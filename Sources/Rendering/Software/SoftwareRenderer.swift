import GlissadeCPixman
public import GlissadeGeometry
public import GlissadeLayers

/// Draws on the CPU, without OpenGL, into memory that its output then shows.
///
/// Threads: any. The members take `RenderLock` themselves.
public final class SoftwareRenderer: Renderer {
    private let compositor: SoftwareCompositor
    /// The output that shows the frames and provides their memory.
    public let output: any SoftwareOutput
    /// The frame that has been drawn but not shown yet; nil if there is none.
    private var frame: Frame?

    private enum Frame {
        /// A frame of the window in a buffer, and the area in which the frame differs from the one on screen. The area
        /// is nil if everything may differ.
        case buffer(FrameBuffer, changed: PixelRect?)
        /// A frame of a surface that is shown directly, because nothing else in the window has changed. `changed` is
        /// the area of the window that the frame changes.
        case picture(OutputPicture, changed: PixelRect)
    }

    public var keepsPixels: Bool {
        get { RenderLock.withLock { keepsFrames } }
        set { RenderLock.withLock { keepsFrames = newValue } }
    }
    private var keepsFrames = false
    /// Whether the window may have lost its content, so that the next frame must be shown as a whole.
    private var isDamaged = true

    /// - Parameter images: A cache for the software renderer (`ImageCache.init` without a device).
    public convenience init(output: any SoftwareOutput, images: ImageCache) {
        self.init(output: output, SoftwareCompositor(images: images))
    }

    private init(output: any SoftwareOutput, _ compositor: SoftwareCompositor) {
        self.output = output
        self.compositor = compositor
    }

    public var traits: RendererTraits {
        let method = RenderLock.withLock { output.methodName }
        return RendererTraits(
            name: "software (pixman \(SoftwareCompositor.libraryVersion), \(method))",
            largestPicture: SoftwareCompositor.sizeLimit, acceptsDeepSamples: true, wantsConvertedFrames: true)
    }

    public var drawsOnAnyThread: Bool { true }
    public var images: ImageCache { compositor.images }
    public var lacksImages: Bool { RenderLock.withLock { compositor.lacksImages } }

    /// Draws the window's next frame. If the window exceeds the size limit of pixman, the area beyond the limit keeps
    /// its content.
    @discardableResult public func draw(
        _ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) -> Bool {
        try RenderLock.withLock { () throws(RenderingError) in try drawLocked(list, surfaces: surfaces) }
    }

    private func drawLocked(
        _ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) -> Bool {
        guard !list.viewport.isEmpty else { return false }
        let wasShown = frame.take() == nil
        func surface(_ id: SurfaceID) -> SoftwareSurface? { surfaces(id)?.backing.memory }
        if wasShown, !isDamaged, !keepsFrames, let sole = compositor.soleChange(of: list, surfaces: surface),
            try output.canShow(sole.picture, inFrame: list.viewport)
        {
            compositor.didShowSoleChange(of: list, surfaces: surface)
            frame = .picture(sole.picture, changed: sole.changed)
            return true
        }
        let limit = SoftwareCompositor.sizeLimit
        let size = PixelSize(width: min(list.viewport.width, limit), height: min(list.viewport.height, limit))
        guard let buffer = try output.takeBuffer(size) else {
            isDamaged = true
            return false
        }
        let changed = try compositor.drawChanges(of: list, into: buffer, surfaces: surface)
        frame = .buffer(buffer, changed: wasShown ? changed : nil)
        return true
    }

    public func flush() {}
    public func invalidate() { RenderLock.withLock { isDamaged = true } }

    public var isReady: Bool { RenderLock.withLock { output.isReady } }
    public var isOvertaken: Bool { RenderLock.withLock { frame == nil } }

    public func present() throws(RenderingError) {
        try RenderLock.withLock { () throws(RenderingError) in try presentLocked() }
    }

    private func presentLocked() throws(RenderingError) {
        switch frame.take() {
        case .buffer(let buffer, let changed):
            try output.show(buffer, changed: isDamaged ? nil : changed)
            isDamaged = false
        case .picture(let picture, let changed):
            // The next frame repairs any damage that occurred since the draw.
            try output.show(picture, changed: changed)
        case nil: break
        }
    }

    public func makeSibling(output: (any SoftwareOutput)?) -> any Renderer {
        RenderLock.withLock {
            SoftwareRenderer(output: output ?? SoftwareMemoryOutput(), SoftwareCompositor(sharing: compositor))
        }
    }

    public var prewarmSteps: Int { 0 }
    public func prewarm(step: Int) {}

    /// Returns the pixels of the frame that has been drawn but not shown yet; empty if there is no such frame, or if it
    /// has another size. The frame must have been drawn while `keepsPixels` was true.
    public func readPixels(_ size: PixelSize) -> [UInt8] {
        RenderLock.withLock {
            guard case .buffer(let buffer, _) = frame, buffer.size == size else { return [] }
            return Raster(.opaque, memory: buffer.memory, stride: buffer.stride, size: size).readPixels()
        }
    }

    public func makeVideoTarget(for use: VideoUse) -> any VideoTarget {
        SoftwareSurface(output: use == .film ? output : nil)
    }

    public func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) {
        guard let surface = target.backing.memory else { return }
        try RenderLock.withLock { () throws(RenderingError) in
            try compositor.capture(list, into: surface) { surfaces($0)?.backing.memory }
        }
    }
}

extension SoftwareSurface: VideoTarget {
    public var backing: VideoBacking { .memory(self) }
    public var hasMemory: Bool { RenderLock.withLock { storage != nil } }
}

extension SoftwareCompositor {
    /// The largest width or height of a raster that pixman accepts, in pixels.
    static var sizeLimit: Int { PixmanImage.sizeLimit }
    static var libraryVersion: String { String(cString: pixman_version_string()) }
}
