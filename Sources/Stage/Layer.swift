public import Motion

/// A node of the layer tree: a rectangle with content, above its parent and below its later siblings.
///
/// Lives on one thread, its owner's. Coordinates are points from the parent's top left corner.
///
/// What can be animated has a *model* value, where it is going to be, and a *presentation* value, where it is at a given
/// time: `opacity` is the model of `animatedOpacity`, and so on. Drawing and hit tests go by the presentation value.
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

    /// The soft shadow that a layer throws on what lies beneath.
    public struct Shadow: Hashable, Sendable {
        public var color: Color
        /// Twice the standard deviation of the Gaussian, in points.
        public var blur: Double
        public var offset: Point

        public init(color: Color, blur: Double, offset: Point = .zero) {
            self.color = color
            self.blur = blur
            self.offset = offset
        }
    }

    /// Where layout has put it.
    public var frame: Rect
    public var content: Content
    public var isHidden = false
    /// Black laid over the layer and all in it, 0…1. As a black layer on top, but at no cost.
    public var shade = 0.0
    /// Of the layer's own content, in points.
    public var cornerRadius = 0.0
    /// Whether nothing in it is seen beyond its rectangle.
    public var clipsToBounds = false
    public var shadow: Shadow?
    /// Siblings lie in its order, and where it is the same in the order in which they were added.
    public var zPosition = 0.0 { didSet { if zPosition != oldValue { superlayer?.sortSublayers() } } }
    /// How the layer's own time goes, and that of all in it.
    public var timing: MediaTiming?

    /// Whether a hit test finds it; what lies in it is found in any case.
    public var isHitTestable = true
    /// How far beyond its rectangle it is hit, in points; also beyond its parent's.
    public var hitMargin = 0.0
    /// Who hears of hits.
    public weak var owner: AnyObject?

    public private(set) var sublayers: [Layer] = []
    public private(set) weak var superlayer: Layer?

    /// How far it is moved from where layout has put it, in points. Drawn on whole device pixels, with all that is in it.
    public let animatedTranslation = Animated(Point.zero)
    /// By which it is enlarged, with all that is in it, about its middle.
    public let animatedScale = Animated(1.0)
    /// 0…1; it multiplies down the tree.
    public let animatedOpacity = Animated(1.0)

    /// Of the passes that begin here.
    var flatteningScratch = FlatteningScratch()

    public init(frame: Rect = .zero, content: Content = .none) {
        self.frame = frame
        self.content = content
    }

    // MARK: - Model values

    public var translation: Point {
        get { animatedTranslation.model }
        set { animatedTranslation.model = newValue }
    }

    public var scale: Double {
        get { animatedScale.model }
        set { animatedScale.model = newValue }
    }

    public var opacity: Double {
        get { animatedOpacity.model }
        set { animatedOpacity.model = newValue }
    }

    // MARK: - The tree

    /// Puts `layer` above the other sublayers of its `zPosition`, and takes it from where it was.
    public func add(_ layer: Layer) { insert(layer, at: sublayers.count) }

    /// Puts `layer` below `other`, a sublayer.
    public func insert(_ layer: Layer, below other: Layer) {
        insert(layer, at: sublayers.firstIndex { $0 === other } ?? sublayers.count)
    }

    /// Puts `layer` at `index` of the sublayers, the lowest first.
    public func insert(_ layer: Layer, at index: Int) {
        let isBefore = layer.superlayer === self && (sublayers.firstIndex { $0 === layer } ?? index) < index
        layer.removeFromSuperlayer()
        sublayers.insert(layer, at: min(max(0, isBefore ? index - 1 : index), sublayers.count))
        layer.superlayer = self
        sortSublayers()
    }

    /// Takes `layer` out of the sublayers; nothing where it is not one.
    public func remove(_ layer: Layer) {
        guard layer.superlayer === self else { return }
        sublayers.removeAll { $0 === layer }
        layer.superlayer = nil
    }

    public func removeFromSuperlayer() { superlayer?.remove(self) }

    /// By insertion: it is all but sorted already, and keeps the order of equals.
    private func sortSublayers() {
        for index in sublayers.indices.dropFirst() {
            var place = index
            while place > 0, sublayers[place - 1].zPosition > sublayers[place].zPosition {
                sublayers.swapAt(place - 1, place)
                place -= 1
            }
        }
    }

    // MARK: - Time

    private var isAnimatedItself: Bool {
        animatedTranslation.isAnimating || animatedScale.isAnimating || animatedOpacity.isAnimating
    }

    /// Ends the animations that are over at `time`, and calls their completions.
    ///
    /// - Parameter time: the parent's.
    /// - Returns: whether something still moves.
    @discardableResult
    public func advance(to time: LocalTime) -> Bool {
        let time = localTime(time)
        animatedTranslation.advance(to: time)
        animatedScale.advance(to: time)
        animatedOpacity.advance(to: time)
        var moves = isAnimatedItself
        // A completion may take layers away: those that were there are looked at.
        for sublayer in sublayers where sublayer.advance(to: time) { moves = true }
        return moves && timing?.speed != 0
    }

    /// The layer's own time at its parent's `time`.
    func localTime(_ time: LocalTime) -> LocalTime { timing.map { $0.activeTime(parent: time) } ?? time }
}
