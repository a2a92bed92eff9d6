public import Geometry
public import Picture

/// What the one who shows the pictures wants of those that come.
public struct FrameFormat: Hashable, Sendable {
    /// Whether samples of more than 8 bits can be drawn as they are.
    public var acceptsDeepSamples: Bool
    /// The widest and highest plane that can be drawn; larger pictures are reduced.
    public var sizeLimit: Int
    /// The size in pixels, before rotation, at which pictures are to be resolved to RGBA on the CPU; nil leaves them as
    /// they are. For renderers on the CPU.
    public var resolvedSize: PixelSize?
    /// Whether a resolved picture keeps the samples that it was made from, at the cost of their memory: for one who shows
    /// it small now and may want it large before the next is decoded.
    public var retainsSource: Bool
    /// What is added to red, green and blue of a resolved picture (`Brightness.brightnessOffset`); others are left as they are.
    public var brightnessOffset: Double
    /// Where resolved pictures are to be made, as long as there is room; nil leaves that to the player.
    public var memory: (any FrameAllocator)? {
        get { lender.memory }
        set { lender = Lender(memory: newValue) }
    }
    private var lender: Lender

    public init(
        acceptsDeepSamples: Bool = true, sizeLimit: Int = 16384, resolvedSize: PixelSize? = nil,
        retainsSource: Bool = false, brightnessOffset: Double = 0, memory: (any FrameAllocator)? = nil
    ) {
        self.acceptsDeepSamples = acceptsDeepSamples
        self.sizeLimit = sizeLimit
        self.resolvedSize = resolvedSize
        self.retainsSource = retainsSource
        self.brightnessOffset = brightnessOffset
        lender = Lender(memory: memory)
    }

    /// Each is only itself.
    private struct Lender: Hashable {
        let memory: (any FrameAllocator)?
        private var id: ObjectIdentifier? { memory.map(ObjectIdentifier.init) }
        static func == (a: Self, b: Self) -> Bool { a.id == b.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}
