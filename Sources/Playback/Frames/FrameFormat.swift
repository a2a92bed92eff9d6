public import Geometry
public import Picture

/// The format in which a renderer wants frames.
public struct FrameFormat: Hashable, Sendable {
    /// Whether the renderer can draw samples deeper than 8 bits.
    public var acceptsDeepSamples: Bool
    /// The largest plane width and height that the renderer can draw; larger frames are scaled down.
    public var sizeLimit: Int
    /// The size of converted frames, in pixels and before rotation; nil for no conversion. Set it for a renderer that
    /// draws on the CPU: decoded frames are then converted to BGRA at this size.
    public var convertedSize: PixelSize?
    /// Whether converted frames also keep their decoded planes, at the cost of memory. Meant for a renderer that may
    /// need a frame at a larger size before the next frame is decoded.
    public var retainsSource: Bool
    /// An offset added to red, green and blue, each 0…1, when a frame is converted to BGRA (see
    /// `Brightness.brightnessOffset`). Frames that are not converted are unchanged.
    public var brightnessOffset: Double
    /// The allocator for converted frames, used while it has room; nil for the player's own memory.
    public var memory: (any FrameAllocator)? {
        get { allocator.memory }
        set { allocator = Allocator(memory: newValue) }
    }
    private var allocator: Allocator

    public init(
        acceptsDeepSamples: Bool = true, sizeLimit: Int = 16384, convertedSize: PixelSize? = nil,
        retainsSource: Bool = false, brightnessOffset: Double = 0, memory: (any FrameAllocator)? = nil
    ) {
        self.acceptsDeepSamples = acceptsDeepSamples
        self.sizeLimit = sizeLimit
        self.convertedSize = convertedSize
        self.retainsSource = retainsSource
        self.brightnessOffset = brightnessOffset
        allocator = Allocator(memory: memory)
    }

    /// A wrapper that makes formats compare their allocators by identity.
    private struct Allocator: Hashable {
        let memory: (any FrameAllocator)?
        private var id: ObjectIdentifier? { memory.map(ObjectIdentifier.init) }
        static func == (a: Self, b: Self) -> Bool { a.id == b.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}
