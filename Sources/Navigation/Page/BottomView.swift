public import Geometry
public import Layers

/// A page's linked bottom view: it hovers over the page's lower edge, moves with its page, and never scrolls.
@MainActor public final class BottomView {
    /// In points.
    public var height: Double
    /// What it shows; its frame is set by the page that it is linked to.
    public let layer: Layer
    /// Lays its content out over a size, when that changes.
    public var onLayout: (@MainActor (Size) -> Void)?

    public init(height: Double, layer: Layer) {
        self.height = height
        self.layer = layer
    }

    func layout(_ size: Size) { onLayout?(size) }
}
