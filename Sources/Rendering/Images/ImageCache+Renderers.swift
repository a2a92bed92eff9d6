public import GlissadeLayers

/// Initializers for the OpenGL and software renderers.
extension ImageCache {
    /// Creates a cache of textures for the OpenGL renderer, in the current context.
    ///
    /// - Parameters:
    ///   - byteLimit: The memory limit for the whole cache, in bytes.
    ///   - uploadLimit: The number of bytes after which a frame takes no more finished text and icons from the raster
    ///     thread.
    ///   - isSlowAtFirst: Whether the first rasterization in the process is slow. If so, text and icons are rasterized
    ///     only on the raster thread until that thread has finished its first image.
    ///   - makeRasterizer: Makes a rasterizer of text and icons; if nil, text and icons are not drawn. Called once on
    ///     the raster thread, and once on the first thread that rasterizes while drawing. If the raster thread cannot
    ///     be started, also called for each request.
    ///   - wake: Wakes the frame loop. Called when a requested image is finished, on the thread that rasterized it.
    public convenience init(
        device: GLDevice, byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20,
        isSlowAtFirst: Bool = false, makeRasterizer: (@Sendable () -> any ImageRasterizer)? = nil,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageTextureFactory(sizeLimit: device.maxTextureSize), byteLimit: byteLimit,
            uploadLimit: uploadLimit, isSlowAtFirst: isSlowAtFirst, makeRasterizer: makeRasterizer, wake: wake)
    }

    /// Creates a cache in memory for the software renderer, without OpenGL. The parameters have the same meaning as in
    /// the initializer with a device.
    public convenience init(
        byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20, isSlowAtFirst: Bool = false,
        makeRasterizer: (@Sendable () -> any ImageRasterizer)? = nil, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageRasterFactory(), byteLimit: byteLimit, uploadLimit: uploadLimit,
            isSlowAtFirst: isSlowAtFirst, makeRasterizer: makeRasterizer, wake: wake)
    }
}
