public import GlissadeGeometry
public import GlissadeLayers

/// A view at the bottom edge of a page. It moves with the page, but does not scroll with the page's content.
@MainActor public final class BottomView {
    /// The view's height, in points. A change takes effect at the page's next layout (`Page.setNeedsLayout`).
    public var height: Double
    /// The layer with the view's content. The page sets the layer's frame.
    public let layer: Layer
    /// Lays out the content. Called with the view's size, in points, whenever the page is laid out.
    public var onLayout: (@MainActor (Size) -> Void)?

    public init(height: Double, layer: Layer) {
        self.height = height
        self.layer = layer
    }

    func layout(_ size: Size) { onLayout?(size) }
}
