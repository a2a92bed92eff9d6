public import Geometry
public import Layers

/// A view at a page's bottom edge that moves with the page and never scrolls.
@MainActor public final class BottomView {
    /// The height, in points.
    public var height: Double
    /// The view's content. The page sets the layer's frame.
    public let layer: Layer
    /// Lays out the content in the given size. Called whenever the page is laid out.
    public var onLayout: (@MainActor (Size) -> Void)?

    public init(height: Double, layer: Layer) {
        self.height = height
        self.layer = layer
    }

    func layout(_ size: Size) { onLayout?(size) }
}
