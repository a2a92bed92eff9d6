/// Initializers for the OpenGL and software renderers.
extension ImageCache {
    /// Creates a cache of textures for the OpenGL renderer, in the current context.
    ///
    /// - Parameters:
    ///   - byteLimit: The memory limit for the whole cache.
    ///   - uploadLimit: How much of the raster thread's output is taken per frame, in bytes.
    ///   - isSlowAtFirst: Whether the program's first text takes long to rasterize, so that it is never rasterized on
    ///     the main thread.
    ///   - makeRasterizer: Makes a rasterizer of text and icons. Called once on the main thread and once on the
    ///     raster thread. If nil, text and icons are not drawn.
    ///   - wake: Called on the raster thread when it has finished an image, to wake the frame loop.
    public convenience init(
        device: GLDevice, byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20,
        isSlowAtFirst: Bool = false, makeRasterizer: (@Sendable () -> any ImageRasterizer)? = nil,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageTextureFactory(sizeLimit: device.maxTextureSize), byteLimit: byteLimit,
            uploadLimit: uploadLimit, isSlowAtFirst: isSlowAtFirst, makeRasterizer: makeRasterizer, wake: wake)
    }

    /// Creates a cache in memory for the software renderer, without OpenGL. The parameters are the same.
    public convenience init(
        byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20, isSlowAtFirst: Bool = false,
        makeRasterizer: (@Sendable () -> any ImageRasterizer)? = nil, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageRasterFactory(), byteLimit: byteLimit, uploadLimit: uploadLimit,
            isSlowAtFirst: isSlowAtFirst, makeRasterizer: makeRasterizer, wake: wake)
    }
}
