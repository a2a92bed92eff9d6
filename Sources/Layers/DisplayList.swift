public import GlissadeGeometry

/// The ID of a surface, such as a video, whose frames come from outside the layer tree. The tree only determines where
/// the frames are drawn.
public struct SurfaceID: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The ID of a raster image that comes from outside the layer tree.
public struct ImageID: Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The items to draw for one frame, bottom first, in device pixels from the target's top-left corner.
///
/// The list is flat. Most items that are covered by opaque items above them are left out. Most partly covered items are
/// clipped to the bounding box of their visible part.
public struct DisplayList: Sendable, Equatable {
    /// An item to draw: a rectangle, a video frame, an image or a shadow.
    public enum Item: Sendable, Equatable {
        /// A rectangle of one color.
        case fill(PixelRect, Color)
        /// A rectangle with rounded corners or a gradient.
        case box(BoxPlacement)
        /// The newest frame of a surface.
        case surface(SurfacePlacement)
        /// A raster image, text or an icon.
        case image(ImagePlacement)
        /// The soft shadow of a rectangle.
        case shadow(ShadowPlacement)
    }

    /// The items to draw, bottom first.
    public var items: [Item] = []
    /// The size of the target, in device pixels.
    public var viewport: PixelSize
    /// The number of device pixels per point, for rasterizing text and icons.
    public var scale: Double

    public init(viewport: PixelSize, scale: Double = 1) {
        self.viewport = viewport
        self.scale = scale
    }
}

/// The position and appearance of a surface's frame.
public struct SurfacePlacement: Sendable, Equatable {
    /// The surface whose newest frame is drawn.
    public var surface: SurfaceID
    /// The rectangle that the whole frame fills after `rotation`, before the rotation by `quarterTurns`.
    public var destination: PixelRect
    /// The area to draw in: a part of `destination` or, if `quarterTurns` is not 0, of the bounding box of the rotated
    /// `destination`.
    public var clip: PixelRect
    /// The clockwise rotation of the stored frame. It makes the frame upright. In a rotated list (`rotateClockwise`),
    /// it also includes the rotation of the list.
    public var rotation: QuarterTurns
    /// Whether the stored frame is mirrored left to right, before it is rotated.
    public var isMirrored: Bool
    /// The opacity of the frame, 0…1.
    public var opacity: Double
    /// The opacity of black drawn over the frame, 0…1.
    public var shade: Double
    /// The corner radius, in device pixels.
    public var cornerRadius: Double
    /// A further clockwise rotation of the frame about the center of `destination`, in quarter turns.
    public var quarterTurns: Double

    public init(
        surface: SurfaceID, destination: PixelRect, clip: PixelRect, rotation: QuarterTurns = .none,
        isMirrored: Bool = false, opacity: Double = 1, shade: Double = 0, cornerRadius: Double = 0,
        quarterTurns: Double = 0
    ) {
        self.surface = surface
        self.destination = destination
        self.clip = clip
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.opacity = opacity
        self.shade = shade
        self.cornerRadius = cornerRadius
        self.quarterTurns = quarterTurns
    }
}

/// The position and colors of a box. The colors already include shade and opacity.
public struct BoxPlacement: Sendable, Equatable {
    /// The rectangle of the whole box, to which the corner radius and the gradient apply.
    public var destination: PixelRect
    /// The part of `destination` to draw.
    public var clip: PixelRect
    /// The corner radius, in device pixels.
    public var cornerRadius: Double
    /// The colors across `destination`; the start and end are equal for a box of one color.
    public var gradient: Gradient

    public init(destination: PixelRect, clip: PixelRect, cornerRadius: Double = 0, gradient: Gradient) {
        self.destination = destination
        self.clip = clip
        self.cornerRadius = cornerRadius
        self.gradient = gradient
    }
}

/// A linear gradient between two colors with straight alpha. Interpolation uses premultiplied colors.
public struct Gradient: Hashable, Sendable {
    /// The direction in which the color changes.
    public enum Axis: Hashable, Sendable { case horizontal, vertical }

    /// The color at the left or top edge.
    public var start: Color
    /// The color at the right or bottom edge.
    public var end: Color
    /// Whether the gradient runs from left to right or from top to bottom.
    public var axis: Axis

    public init(from start: Color, to end: Color, axis: Axis = .vertical) {
        self.start = start
        self.end = end
        self.axis = axis
    }

    /// Creates a gradient of a single color.
    public init(_ color: Color) { self.init(from: color, to: color) }
}

/// The position and appearance of a raster image.
public struct ImagePlacement: Sendable, Equatable {
    /// The source of the image.
    public enum Source: Hashable, Sendable {
        case image(ImageID)
        case text(TextContent)
        case icon(Icon, Color)
    }

    /// The image, or the text or icon to rasterize.
    public var source: Source
    /// The rectangle of the whole image, after the rotation by `rotation`. An icon fills the largest square centered in
    /// it.
    public var destination: PixelRect
    /// The part of `destination` to draw.
    public var clip: PixelRect
    /// The clockwise rotation of the image. It is `none` unless the list was rotated (`rotateClockwise`).
    public var rotation: QuarterTurns
    /// The opacity of the image, 0…1.
    public var opacity: Double
    /// The opacity of black drawn over the image, 0…1.
    public var shade: Double
    /// The corner radius, in device pixels.
    public var cornerRadius: Double

    public init(
        source: Source, destination: PixelRect, clip: PixelRect, rotation: QuarterTurns = .none, opacity: Double = 1,
        shade: Double = 0, cornerRadius: Double = 0
    ) {
        self.source = source
        self.destination = destination
        self.clip = clip
        self.rotation = rotation
        self.opacity = opacity
        self.shade = shade
        self.cornerRadius = cornerRadius
    }

    /// The size of the image before its rotation, in device pixels. Text is laid out in this size.
    public var uprightSize: PixelSize { destination.size.rotated(by: rotation) }
}

/// The shadow of a rectangle: the rectangle's shape, blurred by a Gaussian. Nothing is drawn inside `caster`.
public struct ShadowPlacement: Sendable, Equatable {
    /// The rectangle that casts the shadow, already shifted by the shadow's offset.
    public var caster: PixelRect
    /// The part of the target to draw in.
    public var clip: PixelRect
    /// Twice the Gaussian's standard deviation, in device pixels.
    public var blur: Double
    /// The corner radius of the rectangle, in device pixels.
    public var cornerRadius: Double
    /// The color, with alpha, where the shadow is densest.
    public var color: Color

    public init(caster: PixelRect, clip: PixelRect, blur: Double, cornerRadius: Double = 0, color: Color) {
        self.caster = caster
        self.clip = clip
        self.blur = blur
        self.cornerRadius = cornerRadius
        self.color = color
    }
}
