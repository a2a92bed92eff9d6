public import Motion

/// What the one who shows the pictures wants of those that come.
public struct PictureRequest: Hashable, Sendable {
    /// Whether samples of more than 8 bits can be drawn as they are.
    public var acceptsDeepSamples: Bool
    /// The widest and highest plane that can be drawn; larger pictures are reduced.
    public var sizeLimit: Int
    /// The size in pixels, before rotation, at which pictures are to be resolved to RGBA on the CPU; nil leaves them as
    /// they are. For software rasterizers.
    public var resolvedSize: PixelSize?
    /// Whether a resolved picture keeps the samples that it was made from, at the cost of their memory: for one who shows
    /// it small now and may want it large before the next is decoded.
    public var keepsPlanes: Bool
    /// What is added to red, green and blue of a resolved picture (`Brightness.lift`); others are left as they are.
    public var lift: Double

    public init(
        acceptsDeepSamples: Bool = true, sizeLimit: Int = 16384, resolvedSize: PixelSize? = nil,
        keepsPlanes: Bool = false, lift: Double = 0
    ) {
        self.acceptsDeepSamples = acceptsDeepSamples
        self.sizeLimit = sizeLimit
        self.resolvedSize = resolvedSize
        self.keepsPlanes = keepsPlanes
        self.lift = lift
    }
}
