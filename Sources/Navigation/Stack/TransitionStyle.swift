/// How the lower page looks while the upper page is moved aside.
public struct TransitionStyle: Hashable, Sendable {
    /// How far left the lower page is when fully covered, as a fraction of the width.
    public var parallax: Double
    /// The opacity of black over the lower page when fully covered.
    public var dim: Double
    /// Whether the upper page casts a shadow on it.
    public var hasShadow: Bool

    /// Creates a custom style. Fractions are 0…1.
    public init(parallax: Double, dim: Double, hasShadow: Bool) {
        self.parallax = parallax
        self.dim = dim
        self.hasShadow = hasShadow
    }

    /// Slight parallax, a light dim and a shadow: the platform's usual look.
    public static let system = TransitionStyle(parallax: 0.3, dim: 0.10, hasShadow: true)
    /// The lower page moves by the golden ratio, at full brightness.
    public static let shift = TransitionStyle(parallax: 0.382, dim: 0, hasShadow: true)
    /// The same, emerging from deep darkness.
    public static let maskedShift = TransitionStyle(parallax: 0.382, dim: 0.8, hasShadow: false)

    /// The width of the shadow at the upper page's left edge, in points.
    public static let shadowWidth = 21.0
    /// The opacity of the shadow at the page's edge at progress 0.
    public static let shadowAlpha = 0.25
}

/// How the lower page is drawn while it shows through.
public enum BeneathMode: Hashable, Sendable {
    /// From a snapshot, taken when it begins to show.
    case snapshot
    /// From its layers, in every frame.
    case live
}

/// The positions and opacities at a given progress. Pure arithmetic.
public struct TransitionComposition: Hashable, Sendable {
    /// The left edge of the upper page.
    public var upperX: Double
    /// The left edge of the lower page.
    public var beneathX: Double
    /// The opacity of black over the lower page.
    public var dim: Double
    /// The opacity of the shadow at its edge.
    public var shadowAlpha: Double

    /// - Parameters:
    ///   - progress: 0 where the upper page covers the lower one, 1 where it has left.
    ///   - width: The container's width, in points.
    public init(style: TransitionStyle, progress: Double, width: Double) {
        let rest = 1 - progress
        upperX = progress * width
        beneathX = -style.parallax * rest * width
        dim = style.dim * rest
        shadowAlpha = style.hasShadow ? TransitionStyle.shadowAlpha * rest : 0
    }
}
