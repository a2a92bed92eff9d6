public import Geometry
public import Layers

/// A view at the page's bottom edge that moves with its page and never scrolls.
@MainActor public final class BottomView {
    /// In points.
    public var height: Double
    /// Its content. The page that it belongs to sets the frame.
    public let layer: Layer
    /// Lays out its content when its size changes.
    public var onLayout: (@MainActor (Size) -> Void)?

    public init(height: Double, layer: Layer) {
        self.height = height
        self.layer = layer
    }

    func layout(_ size: Size) { onLayout?(size) }
}
