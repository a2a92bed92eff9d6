import GlissadeCGLES
public import GlissadeGeometry
public import GlissadeLayers

/// Draws with OpenGL ES.
///
/// Threads: any if the renderer was created with a context. Otherwise, only the thread on which the OpenGL context is
/// current. The members take `RenderLock` themselves.
public final class GLRenderer: Renderer {
    /// The compositor that draws the lists. It may share programs and images with the compositors of other windows.
    public let compositor: Compositor
    private let context: GLContext?
    /// Whether there is a frame that has been drawn but not shown yet.
    private var hasFrame = false

    /// Has no effect: any frame can be read back until it is shown.
    public var keepsPixels = false

    /// The number of frames until the next error check. A check may wait for a driver thread, but not for the GPU.
    private var framesUntilCheck = 0
    private static let checkInterval = 32

    /// - Parameter context: The context of the window to draw into, so that any thread can draw. If nil, the renderer
    ///   draws into the framebuffer that is current at each draw.
    public init(_ compositor: Compositor, context: GLContext? = nil) {
        self.compositor = compositor
        self.context = context
    }

    public var traits: RendererTraits {
        let device = compositor.device
        return RendererTraits(
            name: device.renderer, largestPicture: device.maxTextureSize, acceptsDeepSamples: device.hasNorm16,
            wantsConvertedFrames: false)
    }

    public var drawsOnAnyThread: Bool { context != nil }
    public var isReady: Bool { RenderLock.withLock { context?.isReady ?? true } }
    public var isOvertaken: Bool { RenderLock.withLock { context != nil && !hasFrame } }
    public var images: ImageCache { compositor.images }
    public var lacksImages: Bool { RenderLock.withLock { compositor.lacksImages } }

    /// Runs `body` with the renderer's context current. If the renderer has no context, the current one stays current.
    private func use<R: ~Copyable>(_ body: () throws(RenderingError) -> R) throws(RenderingError) -> R {
        try GLContext.use { () throws(RenderingError) -> R in
            context?.makeCurrent()
            return try body()
        }
    }

    @discardableResult public func draw(
        _ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) -> Bool {
        try use { () throws(RenderingError) in
            if let context, context.isEnded { return false }
            try compositor.draw(list) { surfaces($0)?.backing.texture }
            hasFrame = true
            return true
        }
    }

    public func flush() {
        GLContext.use {
            context?.makeCurrent()
            glFlush()
        }
    }

    public func invalidate() {}

    /// Shows the last frame by swapping the buffers of the renderer's context, or of the current one if it has none.
    /// Every 32 frames, also checks whether the driver has failed.
    ///
    /// - Throws: `driver`, or `presentation` if the frame cannot be shown.
    public func present() throws(RenderingError) {
        try use { () throws(RenderingError) in
            hasFrame = false
            if framesUntilCheck == 0 {
                framesUntilCheck = Self.checkInterval
                try GLErrors.check()
            }
            framesUntilCheck -= 1
            if let context { try context.swap() } else { try GLContext.current?.swap() }
        }
    }

    /// Makes a renderer for the current context. If this renderer was created without a context, the new one also has
    /// none.
    public func makeSibling(output: (any SoftwareOutput)?) -> any Renderer {
        GLContext.use {
            GLRenderer(Compositor(sharing: compositor), context: context == nil ? nil : GLContext.current)
        }
    }

    public var prewarmSteps: Int { Compositor.warmUpSteps }

    public func prewarm(step: Int) throws(RenderingError) {
        try use { () throws(RenderingError) in try compositor.warmUp(step: step) }
    }

    public func readPixels(_ size: PixelSize) -> [UInt8] {
        GLContext.use {
            context?.makeCurrent()
            return compositor.device.readPixels(size)
        }
    }

    public func makeVideoTarget(for use: VideoUse) -> any VideoTarget {
        VideoTexture(device: compositor.device, count: use == .film ? 3 : 1)
    }

    public func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) {
        guard let texture = target.backing.texture else { return }
        try use { () throws(RenderingError) in
            try compositor.capture(list, into: texture) { surfaces($0)?.backing.texture }
        }
    }
}

extension VideoTexture: VideoTarget {
    public var backing: VideoBacking { .texture(self) }
    public func removePicture(keepsMemory: Bool) { removePicture(keepsTextures: keepsMemory) }
    public var hasMemory: Bool { hasTextures }
}
