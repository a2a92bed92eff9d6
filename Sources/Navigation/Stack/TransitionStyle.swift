/// The appearance of a transition: how the lower page shifts and darkens, and whether the upper page casts a shadow.
public struct TransitionStyle: Hashable, Sendable {
    /// How far the lower page is shifted to the left when fully covered, as a fraction of the width.
    public var parallax: Double
    /// The opacity of the black overlay on the lower page when that page is fully covered, 0…1.
    public var dim: Double
    /// Whether the upper page casts a shadow on the lower one.
    public var hasShadow: Bool

    /// Creates a custom style. Fractions are 0…1.
    public init(parallax: Double, dim: Double, hasShadow: Bool) {
        self.parallax = parallax
        self.dim = dim
        self.hasShadow = hasShadow
    }

    /// A small shift, slight darkening and a shadow; the default style of a stack.
    public static let system = TransitionStyle(parallax: 0.3, dim: 0.10, hasShadow: true)
    /// A shift of 0.382 of the width (the golden section), without darkening and with a shadow.
    public static let shift = TransitionStyle(parallax: 0.382, dim: 0, hasShadow: true)
    /// Like `shift`, but with strong darkening and without a shadow.
    public static let maskedShift = TransitionStyle(parallax: 0.382, dim: 0.8, hasShadow: false)

    /// The width of the shadow at the upper page's left edge, in points.
    public static let shadowWidth = 21.0
    /// The opacity of the shadow at the upper page's edge when the lower page is fully covered. The opacity decreases
    /// to 0 as the upper page moves out.
    public static let shadowAlpha = 0.25
}

/// How the lower page is drawn during a transition.
public enum BeneathMode: Hashable, Sendable {
    /// From a snapshot, which is taken when the transition begins, and again when the stack is resized or
    /// `takeSnapshot` is called. If no snapshot can be taken, the page is drawn live.
    case snapshot
    /// From its layers, in every frame.
    case live
}
