import CGLES
public import Geometry
public import Layers

/// Draws with OpenGL ES in the current context of the surface. Main thread.
@MainActor public final class GLRenderer: @MainActor Renderer {
    /// Draws the lists; several windows may share its programs and images.
    public let compositor: Compositor

    /// Has no effect: any frame can be read back until it is shown.
    public var keepsPixels = false

    /// The number of frames until the next error check. A check waits for the driver's own thread, if it has one, but
    /// not for the GPU.
    private var framesUntilCheck = 0
    private static let checkInterval = 32

    public init(_ compositor: Compositor) { self.compositor = compositor }

    public var traits: RendererTraits {
        let device = compositor.device
        return RendererTraits(
            name: device.renderer, largestPicture: device.maxTextureSize, acceptsDeepSamples: device.hasNorm16,
            wantsConvertedFrames: false)
    }

    public var images: ImageCache { compositor.images }
    public var lacksImages: Bool { compositor.lacksImages }

    @discardableResult public func draw(
        _ list: DisplayList, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) -> Bool {
        try compositor.draw(list) { surfaces($0) as? VideoTexture }
        return true
    }

    public func flush() { glFlush() }
    public func invalidate() {}
    /// Checks at intervals whether the driver has failed. Does not show the frame: the surface's swap does.
    ///
    /// - Throws: `driver`.
    public func present() throws(RenderingError) {
        if framesUntilCheck == 0 {
            framesUntilCheck = Self.checkInterval
            try GLErrors.check()
        }
        framesUntilCheck -= 1
    }

    public func makeSibling(output: (any SoftwareOutput)?) -> any Renderer {
        GLRenderer(Compositor(sharing: compositor))
    }

    public var prewarmSteps: Int { Compositor.warmUpSteps }
    public func prewarm(step: Int) throws(RenderingError) { try compositor.warmUp(step: step) }
    public func readPixels(_ size: PixelSize) -> [UInt8] { compositor.device.readPixels(size) }

    public func makeVideoTarget(for use: VideoUse) -> any VideoTarget {
        VideoTexture(device: compositor.device, count: use == .film ? 3 : 1)
    }

    public func capture(
        _ list: DisplayList, into target: any VideoTarget, surfaces: (SurfaceID) -> (any VideoTarget)?
    ) throws(RenderingError) {
        guard let texture = target as? VideoTexture else { return }
        try compositor.capture(list, into: texture) { surfaces($0) as? VideoTexture }
    }
}

extension VideoTexture: @MainActor VideoTarget {
    public func removePicture(keepsMemory: Bool) { removePicture(keepsTextures: keepsMemory) }
    public var hasMemory: Bool { hasTextures }
}
