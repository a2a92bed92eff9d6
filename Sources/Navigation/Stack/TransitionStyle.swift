/// How the page beneath looks while the page above it is moved aside.
public struct TransitionStyle: Hashable, Sendable {
    /// How far the page beneath lies to the left when it is wholly covered, as a share of the width.
    public var parallax: Double
    /// How dark the page beneath is when it is wholly covered: the alpha of the black over it.
    public var dim: Double
    /// Whether the page above throws a shadow on it.
    public var hasShadow: Bool

    /// A style of one's own; the shares are 0…1.
    public init(parallax: Double, dim: Double, hasShadow: Bool) {
        self.parallax = parallax
        self.dim = dim
        self.hasShadow = hasShadow
    }

    /// A little parallax, a light dim, a shadow: what platforms do.
    public static let system = TransitionStyle(parallax: 0.3, dim: 0.10, hasShadow: true)
    /// The page beneath comes along by the golden section, as bright as ever.
    public static let shift = TransitionStyle(parallax: 0.382, dim: 0, hasShadow: true)
    /// The same, out of deep darkness.
    public static let maskedShift = TransitionStyle(parallax: 0.382, dim: 0.8, hasShadow: false)

    /// How wide the shadow at the upper page's left edge is, in points.
    public static let shadowWidth = 21.0
    /// The alpha of the shadow's black at the page's edge, before any of the page is drawn aside.
    public static let shadowAlpha = 0.25
}

/// What the page beneath is drawn from while it shows through.
public enum BeneathMode: Hashable, Sendable {
    /// From a texture, taken on the GPU at the moment at which it begins to show.
    case snapshot
    /// From its layers, in every frame.
    case live
}

/// Where everything is when the upper page is drawn aside by a share of the width. Pure arithmetic.
public struct TransitionComposition: Hashable, Sendable {
    /// The left edge of the page that is above.
    public var upperX: Double
    /// The left edge of the page beneath.
    public var beneathX: Double
    /// The alpha of the black over the page beneath.
    public var dim: Double
    /// The alpha of the shadow at the edge that throws it.
    public var shadowAlpha: Double

    /// - Parameters:
    ///   - progress: 0 where the upper page covers the lower one, 1 where it has left.
    ///   - width: of the container, in points.
    public init(style: TransitionStyle, progress: Double, width: Double) {
        let rest = 1 - progress
        upperX = progress * width
        beneathX = -style.parallax * rest * width
        dim = style.dim * rest
        shadowAlpha = style.hasShadow ? TransitionStyle.shadowAlpha * rest : 0
    }
}
