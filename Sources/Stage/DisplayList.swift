public import Motion

/// Names a surface that somebody else fills with pictures; the stage only knows where it is to be drawn.
public struct SurfaceID: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What is to be drawn for one frame, bottom first, in device pixels from the top left corner of the target.
///
/// Flat, and free of what nobody would see: an item that opaque items above it cover is not in the list, and one that
/// they half cover is clipped to what shows.
public struct DisplayList: Sendable, Equatable {
    public enum Item: Sendable, Equatable {
        /// A rectangle of one colour.
        case fill(PixelRect, Color)
        /// A picture.
        case surface(SurfacePlacement)
    }

    public var items: [Item] = []
    /// The size of what is drawn into.
    public var viewport: PixelSize

    public init(viewport: PixelSize) { self.viewport = viewport }
}

/// Where a surface's picture goes.
public struct SurfacePlacement: Sendable, Equatable {
    public var surface: SurfaceID
    /// Where the whole upright picture would lie.
    public var destination: PixelRect
    /// The part of `destination` to be drawn; always inside it.
    public var clip: PixelRect
    /// The turn that sets the picture upright.
    public var rotation: QuarterTurns
    public var opacity: Double

    public init(
        surface: SurfaceID, destination: PixelRect, clip: PixelRect, rotation: QuarterTurns = .none, opacity: Double = 1
    ) {
        self.surface = surface
        self.destination = destination
        self.clip = clip
        self.rotation = rotation
        self.opacity = opacity
    }
}
