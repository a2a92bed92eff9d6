public import GlissadeGeometry
public import GlissadePicture

/// The format in which a renderer wants frames.
public struct FrameFormat: Hashable, Sendable {
    /// Whether the renderer can draw samples deeper than 8 bits.
    public var acceptsDeepSamples: Bool
    /// The largest width and height of a frame that the renderer can draw, in pixels. Larger frames are scaled down.
    public var sizeLimit: Int
    /// The size to which frames are scaled and converted to BGRA, in pixels before rotation; nil for no conversion. Set
    /// it for a renderer that draws on the CPU.
    public var convertedSize: PixelSize?
    /// Whether converted frames keep their decoded planes, so that they can be converted again at a larger size. The
    /// planes take additional memory.
    public var retainsSource: Bool
    /// The adjustments made when a frame is converted to BGRA. Frames that are not converted are unchanged.
    public var adjustments: PictureAdjustments
    /// The allocator that provides memory for converted frames. If it is nil or has no memory left, the player uses its
    /// own memory.
    public var memory: (any FrameAllocator)? {
        get { allocator.memory }
        set { allocator = Allocator(memory: newValue) }
    }
    private var allocator: Allocator

    public init(
        acceptsDeepSamples: Bool = true, sizeLimit: Int = 16384, convertedSize: PixelSize? = nil,
        retainsSource: Bool = false, adjustments: PictureAdjustments = .none, memory: (any FrameAllocator)? = nil
    ) {
        self.acceptsDeepSamples = acceptsDeepSamples
        self.sizeLimit = sizeLimit
        self.convertedSize = convertedSize
        self.retainsSource = retainsSource
        self.adjustments = adjustments
        allocator = Allocator(memory: memory)
    }

    /// A wrapper that compares and hashes allocators by identity.
    private struct Allocator: Hashable {
        let memory: (any FrameAllocator)?
        private var id: ObjectIdentifier? { memory.map(ObjectIdentifier.init) }
        static func == (a: Self, b: Self) -> Bool { a.id == b.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}
