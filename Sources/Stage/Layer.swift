public import Motion

/// A node of the layer tree: a rectangle with content, above its parent and below its later siblings.
///
/// Lives on one thread, its owner's. Coordinates are points from the parent's top left corner.
public final class Layer {
    public enum Content: Equatable, Sendable {
        case none
        case color(Color)
        case gradient(Gradient)
        /// A still image, filling the layer's rectangle.
        case image(ImageID)
        case text(TextContent)
        case icon(Icon, Color)
        /// A picture, upright in the layer's rectangle; opaque.
        case surface(SurfaceID, rotation: QuarterTurns)
    }

    public var frame: Rect
    public var content: Content
    public var isHidden = false
    /// 0…1; it multiplies down the tree.
    public var opacity = 1.0
    public private(set) var sublayers: [Layer] = []

    public init(frame: Rect = .zero, content: Content = .none) {
        self.frame = frame
        self.content = content
    }

    /// Puts `layer` above the other sublayers.
    public func add(_ layer: Layer) { sublayers.append(layer) }

    /// Takes `layer` out of the sublayers; nothing where it is not one.
    public func remove(_ layer: Layer) { sublayers.removeAll { $0 === layer } }
}
