public import Geometry

/// Names a surface that somebody else fills with pictures; the stage only knows where it is to be drawn.
public struct SurfaceID: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Names a still image that somebody else has made.
public struct ImageID: Hashable, Sendable {
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
        /// A rectangle with round corners, or of more than one colour.
        case box(BoxPlacement)
        /// A picture.
        case surface(SurfacePlacement)
        /// A still image, text or an icon.
        case image(ImagePlacement)
        /// The soft shadow that a rectangle throws.
        case shadow(ShadowPlacement)
    }

    public var items: [Item] = []
    /// The size of what is drawn into.
    public var viewport: PixelSize
    /// Device pixels per point, by which text and icons are set.
    public var scale: Double

    public init(viewport: PixelSize, scale: Double = 1) {
        self.viewport = viewport
        self.scale = scale
    }
}

/// Where a surface's picture goes.
public struct SurfacePlacement: Sendable, Equatable {
    public var surface: SurfaceID
    /// Where the whole upright picture would lie.
    public var destination: PixelRect
    /// The part of `destination`, or of what it covers once it is turned, to be drawn; always inside it.
    public var clip: PixelRect
    /// The turn that sets the picture upright.
    public var rotation: QuarterTurns
    public var opacity: Double
    /// How much black lies over it, 0…1.
    public var shade: Double
    /// In device pixels.
    public var cornerRadius: Double
    /// How far the whole of it is turned about its middle, clockwise, in quarter turns; 0 is upright.
    public var turn: Double

    public init(
        surface: SurfaceID, destination: PixelRect, clip: PixelRect, rotation: QuarterTurns = .none,
        opacity: Double = 1, shade: Double = 0, cornerRadius: Double = 0, turn: Double = 0
    ) {
        self.surface = surface
        self.destination = destination
        self.clip = clip
        self.rotation = rotation
        self.opacity = opacity
        self.shade = shade
        self.cornerRadius = cornerRadius
        self.turn = turn
    }
}

/// Where a coloured box goes. Shade and opacity are in its colours.
public struct BoxPlacement: Sendable, Equatable {
    public var destination: PixelRect
    public var clip: PixelRect
    /// In device pixels.
    public var cornerRadius: Double
    public var gradient: Gradient

    public init(destination: PixelRect, clip: PixelRect, cornerRadius: Double = 0, gradient: Gradient) {
        self.destination = destination
        self.clip = clip
        self.cornerRadius = cornerRadius
        self.gradient = gradient
    }
}

/// Two colours, and between them every one that lies between them (straight alpha, mixed premultiplied).
public struct Gradient: Hashable, Sendable {
    public enum Axis: Hashable, Sendable { case horizontal, vertical }

    /// The colour at the left or upper edge.
    public var start: Color
    /// The colour at the right or lower edge.
    public var end: Color
    public var axis: Axis

    public init(from start: Color, to end: Color, axis: Axis = .vertical) {
        self.start = start
        self.end = end
        self.axis = axis
    }

    /// One colour all over.
    public init(_ color: Color) { self.init(from: color, to: color) }
}

/// Where a still image goes.
public struct ImagePlacement: Sendable, Equatable {
    public enum Source: Hashable, Sendable {
        case image(ImageID)
        case text(TextContent)
        case icon(Icon, Color)
    }

    public var source: Source
    /// Where the whole image would lie; text is set into it, an icon fills the largest square in its middle.
    public var destination: PixelRect
    public var clip: PixelRect
    public var opacity: Double
    /// How much black lies over it, 0…1.
    public var shade: Double
    /// In device pixels.
    public var cornerRadius: Double

    public init(
        source: Source, destination: PixelRect, clip: PixelRect, opacity: Double = 1, shade: Double = 0,
        cornerRadius: Double = 0
    ) {
        self.source = source
        self.destination = destination
        self.clip = clip
        self.opacity = opacity
        self.shade = shade
        self.cornerRadius = cornerRadius
    }
}

/// The shadow of a rectangle: its outline blurred by a Gaussian. Nothing is drawn where the rectangle itself lies.
public struct ShadowPlacement: Sendable, Equatable {
    /// The rectangle that throws it, already moved by the shadow's offset.
    public var caster: PixelRect
    public var clip: PixelRect
    /// Twice the Gaussian's standard deviation, in device pixels.
    public var blur: Double
    /// The caster's, in device pixels.
    public var cornerRadius: Double
    public var color: Color

    public init(caster: PixelRect, clip: PixelRect, blur: Double, cornerRadius: Double = 0, color: Color) {
        self.caster = caster
        self.clip = clip
        self.blur = blur
        self.cornerRadius = cornerRadius
        self.color = color
    }
}
