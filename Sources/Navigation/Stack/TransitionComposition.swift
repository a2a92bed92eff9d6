/// The positions and opacities of a transition's layers at a given progress.
public struct TransitionComposition: Hashable, Sendable {
    /// The position of the upper page's left edge, in points from the container's left edge.
    public var upperX: Double
    /// The position of the lower page's left edge, in points from the container's left edge; negative while the page is
    /// shifted to the left.
    public var beneathX: Double
    /// The opacity of the black overlay on the lower page, 0…1.
    public var dim: Double
    /// The opacity of the shadow at the upper page's edge; 0 for a style without a shadow.
    public var shadowAlpha: Double

    /// Computes the positions and opacities at `progress`.
    ///
    /// - Parameters:
    ///   - progress: 0 when the upper page covers the lower page, 1 when the upper page has left.
    ///   - width: The container's width, in points.
    public init(style: TransitionStyle, progress: Double, width: Double) {
        let rest = 1 - progress
        upperX = progress * width
        beneathX = -style.parallax * rest * width
        dim = style.dim * rest
        shadowAlpha = style.hasShadow ? TransitionStyle.shadowAlpha * rest : 0
    }
}
