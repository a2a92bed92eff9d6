/// Which renderer stills are for.
extension ImageCache {
    /// - Parameters:
    ///   - byteLimit: of all that is kept, together.
    ///   - uploadLimit: of what comes from the thread in one frame.
    ///   - isSlowAtFirst: whether what is set first takes long, and is never set on the main thread.
    ///   - makeSetter: makes what sets text and icons, once on the main thread and once on the other; without it,
    ///     neither is drawn.
    ///   - wake: called on the other thread when something that was missing in a frame has been made.
    public convenience init(
        device: GLDevice, byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20,
        isSlowAtFirst: Bool = false, makeSetter: (@Sendable () -> any ImageRasterizer)? = nil,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageTextureFactory(sizeLimit: device.maxTextureSize), byteLimit: byteLimit,
            uploadLimit: uploadLimit, isSlowAtFirst: isSlowAtFirst, makeSetter: makeSetter, wake: wake)
    }

    /// For the software renderer: in memory, without OpenGL. The parameters are those for a device.
    public convenience init(
        byteLimit: Int = 48 << 20, uploadLimit: Int = 4 << 20, isSlowAtFirst: Bool = false,
        makeSetter: (@Sendable () -> any ImageRasterizer)? = nil, wake: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            factory: ImageRasterFactory(), byteLimit: byteLimit, uploadLimit: uploadLimit,
            isSlowAtFirst: isSlowAtFirst, makeSetter: makeSetter, wake: wake)
    }
}
