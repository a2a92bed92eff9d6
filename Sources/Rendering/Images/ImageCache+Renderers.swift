/// Initializers for each renderer.
extension ImageCache {
    /// - Parameters:
    ///   - byteLimit: The memory limit for the whole cache.
    ///   - uploadLimit: How much of the raster thread's output is taken per frame, in bytes.
    ///   - isSlowAtFirst: Whether the first text takes long and is never rasterized on the main thread.
    ///   - makeRasterizer: Makes the rasterizer of text and icons, once on the main thread and once on the raster
    ///     thread. If nil, neither is drawn.
    ///   - wake: Called on the raster thread when it has finished an image that a frame lacked.
    public convenience init(
        device: GLDevice, byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20,
        isSlowAtFirst: Bool = false, makeRasterizer: (@Sendable () -> any ImageRasterizer)? = nil,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageTextureFactory(sizeLimit: device.maxTextureSize), byteLimit: byteLimit,
            uploadLimit: uploadLimit, isSlowAtFirst: isSlowAtFirst, makeRasterizer: makeRasterizer, wake: wake)
    }

    /// For the software renderer: in memory, without OpenGL. The parameters are the same.
    public convenience init(
        byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20, isSlowAtFirst: Bool = false,
        makeRasterizer: (@Sendable () -> any ImageRasterizer)? = nil, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageRasterFactory(), byteLimit: byteLimit, uploadLimit: uploadLimit,
            isSlowAtFirst: isSlowAtFirst, makeRasterizer: makeRasterizer, wake: wake)
    }
}
