public import GlissadeAnimation
public import GlissadeGeometry

/// A node of the layer tree: a rectangle with content, drawn above its parent and below later siblings.
///
/// Coordinates are points from the parent's top-left corner. An animatable property has a *model* value, which is the
/// target of its animations, and a *presentation* value, which is visible at a given time. For example, `opacity` is
/// the model value of `animatedOpacity`. Drawing and hit tests use presentation values.
///
/// Threads: confined to its owner's thread.
///
/// Trees are walked recursively. A tree 1,000 levels deep is tested; one 10,000 levels deep overflows an 8 MiB stack in
/// a debug build.
///
/// Properties marked `@exclusivity(unchecked)` are read for each layer in every frame. Checking exclusive access at run
/// time took half of the frame time (Benchmarks/Layers). Accesses cannot overlap, because the values are always read
/// and written whole.
public final class Layer {
    /// The content that a layer draws in its rectangle, beneath its sublayers.
    public enum Content: Equatable, Sendable {
        case none
        case color(Color)
        case gradient(Gradient)
        /// A raster image that fills the layer's rectangle.
        case image(ImageID)
        case text(TextContent)
        case icon(Icon, Color)
        /// The newest frame of a surface. The frame is mirrored left to right if `isMirrored` is true; `rotation` then
        /// makes it upright. The frame counts as opaque.
        case surface(SurfaceID, rotation: QuarterTurns, isMirrored: Bool = false)
    }

    /// The soft shadow that a layer casts on the layers beneath.
    public struct Shadow: Hashable, Sendable {
        /// The color, with alpha, where the shadow is densest.
        public var color: Color
        /// Twice the Gaussian's standard deviation, in points.
        public var blur: Double
        /// How far the shadow is shifted, in points.
        public var offset: Point

        public init(color: Color, blur: Double, offset: Point = .zero) {
            self.color = color
            self.blur = blur
            self.offset = offset
        }
    }

    /// The rectangle assigned by layout, in the parent's coordinates, before translation and scale.
    @exclusivity(unchecked) public var frame: Rect
    /// The layer's own content.
    public var content: Content
    /// Whether the layer and its sublayers are hidden: neither drawn nor hit.
    @exclusivity(unchecked) public var isHidden = false
    /// How much the layer and its sublayers are darkened, from 0 (not at all) to 1 (black).
    @exclusivity(unchecked) public var shade = 0.0
    /// The corner radius of the layer's content and shadow, in points. Text, icons and sublayers are not rounded.
    @exclusivity(unchecked) public var cornerRadius = 0.0
    /// The clockwise rotation of the layer's surface about its center, in quarter turns. Does not affect other
    /// content, sublayers or hit tests.
    @exclusivity(unchecked) public var quarterTurns = 0.0
    /// Whether sublayers are clipped to the layer's rectangle.
    @exclusivity(unchecked) public var clipsToBounds = false
    /// The shadow beneath the layer's rectangle; nil for none.
    @exclusivity(unchecked) public var shadow: Shadow?
    /// The stacking order among siblings: higher values are drawn above lower ones. Siblings with equal values keep
    /// the order given by `add` and `insert`.
    public var zPosition = 0.0 {
        didSet {
            guard zPosition != oldValue, let superlayer else { return }
            if let index = superlayer.sublayers.firstIndex(where: { $0 === self }) {
                superlayer.sortSublayer(at: index)
            }
        }
    }
    /// The timing of the layer and its sublayers, relative to the parent's time; nil to use the parent's time.
    @exclusivity(unchecked) public var timing: MediaTiming? { didSet { noteAnimation() } }

    /// Whether hit tests find this layer. Its sublayers can be hit in either case.
    public var isHitTestable = true
    /// The width of a margin around the layer, in points. Points in the margin also hit the layer, even outside the
    /// parent's rectangle.
    public var hitMargin = 0.0
    /// The object that handles hits on this layer; held weakly.
    public weak var owner: AnyObject?

    /// The child layers, lowest first.
    @exclusivity(unchecked) public private(set) var sublayers: [Layer] = []
    /// The parent layer; nil for a root layer. Unowned and unchecked, because every frame reads it and counting
    /// references to a weakly referenced object is slow. Never dangles: `deinit` clears the reference in all sublayers.
    public private(set) unowned(unsafe) var superlayer: Layer?

    /// The offset of the layer and its sublayers from `frame`, in points. Rounded to whole device pixels for drawing.
    public let animatedTranslation = Animated(Point.zero)
    /// The scale of the layer and its sublayers about the layer's center.
    public let animatedScale = Animated(1.0)
    /// The opacity, 0…1. Multiplied by the opacities of all ancestors.
    public let animatedOpacity = Animated(1.0)

    /// The order among siblings of equal `zPosition`, lowest first.
    private var rank = 0
    /// The rank for the next sublayer; greater than the ranks of all existing sublayers.
    private var nextRank = 0

    /// Whether anything in this subtree may be animating. If false, `advance` skips the subtree.
    @exclusivity(unchecked) private var mayAnimate = false
    /// The reusable storage of flattening passes that start at this layer.
    var flatteningScratch = FlatteningScratch()

    public init(frame: Rect = .zero, content: Content = .none) {
        self.frame = frame
        self.content = content
        let note = { [unowned self] in noteAnimation() }
        animatedTranslation.onMove = note
        animatedScale.onMove = note
        animatedOpacity.onMove = note
    }

    deinit {
        for sublayer in sublayers { sublayer.superlayer = nil }
        // The animated properties may outlive the layer, and `onMove` has an unowned reference to it.
        animatedTranslation.onMove = nil
        animatedScale.onMove = nil
        animatedOpacity.onMove = nil
    }

    // MARK: - Model values

    /// The model value of `animatedTranslation`, in points.
    public var translation: Point {
        get { animatedTranslation.model }
        set { animatedTranslation.model = newValue }
    }

    /// The model value of `animatedScale`; 1 is unscaled.
    public var scale: Double {
        get { animatedScale.model }
        set { animatedScale.model = newValue }
    }

    /// The model value of `animatedOpacity`, 0…1.
    public var opacity: Double {
        get { animatedOpacity.model }
        set { animatedOpacity.model = newValue }
    }

    // MARK: - The tree

    /// Adds `layer` above the sublayers of the same `zPosition`, and removes it from its previous parent.
    public func add(_ layer: Layer) { insert(layer, at: sublayers.count) }

    /// Inserts `layer` directly below `other`, or on top if `other` is not a sublayer. As with `insert(_:at:)`,
    /// `zPosition` takes precedence.
    public func insert(_ layer: Layer, below other: Layer) {
        insert(layer, at: sublayers.firstIndex { $0 === other } ?? sublayers.count)
    }

    /// Inserts `layer` at `index` of `sublayers`, which stay sorted by `zPosition`. Clamps an index that is out of
    /// range. Does nothing if `layer` is this layer or an ancestor.
    public func insert(_ layer: Layer, at index: Int) {
        guard !isInside(layer) else { return }
        let isBefore = layer.superlayer === self && (sublayers.firstIndex { $0 === layer } ?? index) < index
        layer.removeFromSuperlayer()
        let place = min(max(0, isBefore ? index - 1 : index), sublayers.count)
        if place == sublayers.count {
            layer.rank = nextRank
        } else {
            layer.rank = sublayers[place].rank
            for sublayer in sublayers where sublayer.rank >= layer.rank { sublayer.rank += 1 }
        }
        nextRank += 1
        sublayers.insert(layer, at: place)
        layer.superlayer = self
        sortSublayer(at: place)
        if layer.mayAnimate { markMayAnimate() }
    }

    /// Removes `layer` from the sublayers. Does nothing if `layer` is not a sublayer.
    public func remove(_ layer: Layer) {
        guard layer.superlayer === self else { return }
        sublayers.removeAll { $0 === layer }
        layer.superlayer = nil
    }

    /// Removes the layer from its parent. Does nothing if there is none.
    public func removeFromSuperlayer() { superlayer?.remove(self) }

    /// Whether this layer is `layer` or a descendant of it.
    private func isInside(_ layer: Layer) -> Bool {
        var outer: Layer? = self
        while let current = outer {
            if current === layer { return true }
            outer = current.superlayer
        }
        return false
    }

    /// Moves the sublayer at `index` to its sorted position. The other sublayers must already be sorted.
    private func sortSublayer(at index: Int) {
        var place = index
        while place > 0, sublayers[place - 1].isAbove(sublayers[place]) {
            sublayers.swapAt(place - 1, place)
            place -= 1
        }
        while place + 1 < sublayers.count, sublayers[place].isAbove(sublayers[place + 1]) {
            sublayers.swapAt(place, place + 1)
            place += 1
        }
    }

    private func isAbove(_ sibling: Layer) -> Bool {
        zPosition == sibling.zPosition ? rank > sibling.rank : zPosition > sibling.zPosition
    }

    // MARK: - Time

    private func noteAnimation() {
        if timing != nil || isMovingItself { markMayAnimate() }
    }

    /// Marks this layer and its ancestors as possibly animating.
    private func markMayAnimate() {
        var layer: Layer? = self
        while let current = layer, !current.mayAnimate {
            current.mayAnimate = true
            layer = current.superlayer
        }
    }

    private var isMovingItself: Bool {
        animatedTranslation.isMoving || animatedScale.isMoving || animatedOpacity.isMoving
    }

    /// Completes the animations that have ended by `time`, and calls their completions. Costs almost nothing if the
    /// tree is at rest.
    ///
    /// A completion may start animations and change the tree. If it removes a layer, that layer's completions are not
    /// called until the layer is in the tree again.
    ///
    /// - Parameter time: The parent's time.
    /// - Returns: Whether an animation in the tree is still running or delayed.
    @discardableResult
    public func advance(to time: LocalTime) -> Bool {
        guard mayAnimate else { return false }
        endAnimations(at: time)
        // Checked after all completions: one may have started an animation in a layer that was already visited.
        return refreshMayAnimate()
    }

    private func endAnimations(at time: LocalTime) {
        let time = localTime(time)
        animatedTranslation.advance(to: time)
        animatedScale.advance(to: time)
        animatedOpacity.advance(to: time)
        for sublayer in sublayers where sublayer.mayAnimate && sublayer.superlayer === self {
            sublayer.endAnimations(at: time)
        }
    }

    /// Returns whether anything in this subtree is moving. Clears `mayAnimate` in layers in which nothing can move.
    private func refreshMayAnimate() -> Bool {
        guard mayAnimate else { return false }
        var moves = isMovingItself
        // A layer with its own timing stays marked.
        var mayMove = moves || timing != nil
        for sublayer in sublayers {
            if sublayer.refreshMayAnimate() { moves = true }
            if sublayer.mayAnimate { mayMove = true }
        }
        mayAnimate = mayMove
        return moves && timing?.speed != 0
    }

    /// Returns the layer's local time at its parent's `time`.
    func localTime(_ time: LocalTime) -> LocalTime { timing.map { $0.activeTime(parent: time) } ?? time }
}
