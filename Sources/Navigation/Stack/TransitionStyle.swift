/// The appearance of the lower page while the upper page is moved aside.
public struct TransitionStyle: Hashable, Sendable {
    /// How far to the left the lower page is when fully covered, as a fraction of the width.
    public var parallax: Double
    /// The opacity of black over the lower page when fully covered, 0…1.
    public var dim: Double
    /// Whether the upper page casts a shadow on the lower one.
    public var hasShadow: Bool

    /// Creates a custom style. Fractions are 0…1.
    public init(parallax: Double, dim: Double, hasShadow: Bool) {
        self.parallax = parallax
        self.dim = dim
        self.hasShadow = hasShadow
    }

    /// Slight parallax, a light dim and a shadow: the platform's usual look.
    public static let system = TransitionStyle(parallax: 0.3, dim: 0.10, hasShadow: true)
    /// A parallax of 0.382, the golden section, with the lower page at full brightness.
    public static let shift = TransitionStyle(parallax: 0.382, dim: 0, hasShadow: true)
    /// Like `shift`, but the lower page starts strongly dimmed, and there is no shadow.
    public static let maskedShift = TransitionStyle(parallax: 0.382, dim: 0.8, hasShadow: false)

    /// The width of the shadow at the upper page's left edge, in points.
    public static let shadowWidth = 21.0
    /// The opacity of the shadow at the upper page's edge, at progress 0.
    public static let shadowAlpha = 0.25
}

/// How the lower page is drawn during a transition.
public enum BeneathMode: Hashable, Sendable {
    /// From a snapshot, taken when the transition begins.
    case snapshot
    /// From its layers, in every frame.
    case live
}

/// The positions and opacities of a transition at a given progress.
public struct TransitionComposition: Hashable, Sendable {
    /// The left edge of the upper page.
    public var upperX: Double
    /// The left edge of the lower page.
    public var beneathX: Double
    /// The opacity of black over the lower page.
    public var dim: Double
    /// The opacity of the shadow at the upper page's edge.
    public var shadowAlpha: Double

    /// Computes the positions and opacities at `progress`.
    ///
    /// - Parameters:
    ///   - progress: 0 when the upper page covers the lower one, 1 when it has left.
    ///   - width: The container's width, in points.
    public init(style: TransitionStyle, progress: Double, width: Double) {
        let rest = 1 - progress
        upperX = progress * width
        beneathX = -style.parallax * rest * width
        dim = style.dim * rest
        shadowAlpha = style.hasShadow ? TransitionStyle.shadowAlpha * rest : 0
    }
}
