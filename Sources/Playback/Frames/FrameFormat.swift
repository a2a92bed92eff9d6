public import Geometry
public import Picture

/// The format in which a renderer wants frames.
public struct FrameFormat: Hashable, Sendable {
    /// Whether samples deeper than 8 bits can be drawn as they are.
    public var acceptsDeepSamples: Bool
    /// The largest plane width and height that can be drawn; larger frames are scaled down.
    public var sizeLimit: Int
    /// The size, in pixels and before rotation, at which the CPU converts frames to BGRA; nil leaves them as decoded.
    /// For CPU renderers.
    public var convertedSize: PixelSize?
    /// Whether a converted frame also keeps its decoded planes, at the cost of their memory. For a renderer that shows
    /// it small now and may need it large before the next one is decoded.
    public var retainsSource: Bool
    /// An offset to add to red, green and blue in the conversion (`Brightness.brightnessOffset`); other frames are
    /// unchanged.
    public var brightnessOffset: Double
    /// Where converted frames are allocated while there is room; nil leaves that to the player.
    public var memory: (any FrameAllocator)? {
        get { lender.memory }
        set { lender = Lender(memory: newValue) }
    }
    private var lender: Lender

    public init(
        acceptsDeepSamples: Bool = true, sizeLimit: Int = 16384, convertedSize: PixelSize? = nil,
        retainsSource: Bool = false, brightnessOffset: Double = 0, memory: (any FrameAllocator)? = nil
    ) {
        self.acceptsDeepSamples = acceptsDeepSamples
        self.sizeLimit = sizeLimit
        self.convertedSize = convertedSize
        self.retainsSource = retainsSource
        self.brightnessOffset = brightnessOffset
        lender = Lender(memory: memory)
    }

    /// Compares allocators by identity.
    private struct Lender: Hashable {
        let memory: (any FrameAllocator)?
        private var id: ObjectIdentifier? { memory.map(ObjectIdentifier.init) }
        static func == (a: Self, b: Self) -> Bool { a.id == b.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}
