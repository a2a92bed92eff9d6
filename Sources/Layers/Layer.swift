public import Animation
public import Geometry

/// A node of the layer tree: a rectangle with content, above its parent and below later siblings.
///
/// Coordinates are points from the parent's top-left corner. An animatable property has a *model* value, where it is
/// going, and a *presentation* value, where it is at a given time: `opacity` is the model of `animatedOpacity`, and so
/// on. Drawing and hit tests use the presentation value.
///
/// Threads: confined to its owner's thread.
///
/// Trees are walked recursively: depths of a thousand are tested; ten thousand overflows an 8 MiB stack in a debug
/// build.
///
/// The properties that every frame reads for each layer are not checked for exclusive access at run time: the checks
/// took half the time of a frame (Benchmarks/Layers). They are plain values, read and written whole, and changed only
/// in this file.
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
        /// A video frame, upright in the layer's rectangle; opaque.
        case surface(SurfaceID, rotation: QuarterTurns)
    }

    /// The soft shadow that a layer casts on the layers beneath.
    public struct Shadow: Hashable, Sendable {
        /// The color where the shadow is darkest, with alpha.
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

    /// The position assigned by layout.
    @exclusivity(unchecked) public var frame: Rect
    /// The layer's own content.
    public var content: Content
    /// Whether it and its sublayers are neither drawn nor hit.
    @exclusivity(unchecked) public var isHidden = false
    /// The opacity of black over the layer and its contents, 0…1. Looks like a black layer on top, at no cost.
    @exclusivity(unchecked) public var shade = 0.0
    /// The corner radius of the layer's own content, in points.
    @exclusivity(unchecked) public var cornerRadius = 0.0
    /// Clockwise rotation of a surface about the center, in quarter turns. Applies to the layer's own content only; hit
    /// tests and sublayers use the rectangle.
    @exclusivity(unchecked) public var quarterTurns = 0.0
    /// Whether contents outside of the rectangle are hidden.
    @exclusivity(unchecked) public var clipsToBounds = false
    /// The shadow beneath the layer's rectangle; nil for none.
    @exclusivity(unchecked) public var shadow: Shadow?
    /// The stacking order among siblings. Equal values keep the order in which the layers were added.
    public var zPosition = 0.0 {
        didSet {
            guard zPosition != oldValue, let superlayer else { return }
            if let index = superlayer.sublayers.firstIndex(where: { $0 === self }) {
                superlayer.sortSublayer(at: index)
            }
        }
    }
    /// The timing of the layer and its sublayers, relative to the parent's time.
    @exclusivity(unchecked) public var timing: MediaTiming? { didSet { noteAnimation() } }

    /// Whether hit tests find this layer. Sublayers are found regardless.
    public var isHitTestable = true
    /// How far outside its rectangle the layer is hit, in points, even outside its parent's rectangle.
    public var hitMargin = 0.0
    /// The target of hits on this layer.
    public weak var owner: AnyObject?

    /// The child layers, lowest first.
    @exclusivity(unchecked) public private(set) var sublayers: [Layer] = []
    /// Unowned and unchecked: each frame visits all layers, and reference counting of weakly referenced objects is
    /// slow. It never dangles: a layer clears it in its sublayers when it is released.
    public private(set) unowned(unsafe) var superlayer: Layer?

    /// The offset from the position assigned by layout, in points. Drawn on whole device pixels, with everything
    /// inside.
    public let animatedTranslation = Animated(Point.zero)
    /// The scale of the layer and its contents about its center.
    public let animatedScale = Animated(1.0)
    /// 0…1; multiplied down the tree.
    public let animatedOpacity = Animated(1.0)

    /// The order in which siblings were added, after `zPosition`.
    private var rank = 0
    /// Greater than those of all sublayers.
    private var nextRank = 0

    /// Whether something in this subtree may be animated.
    @exclusivity(unchecked) private var mayAnimate = false
    /// The storage for passes that begin here.
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
        // Sublayers may be referenced elsewhere.
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

    /// Adds `layer` above the other sublayers with its `zPosition`, removing it from its previous parent.
    public func add(_ layer: Layer) { insert(layer, at: sublayers.count) }

    /// Inserts `layer` below `other`, which must be a sublayer.
    public func insert(_ layer: Layer, below other: Layer) {
        insert(layer, at: sublayers.firstIndex { $0 === other } ?? sublayers.count)
    }

    /// Inserts `layer` at `index`, the lowest first. Does nothing if this layer is inside it.
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

    /// Removes `layer` from the sublayers; does nothing if it is not one.
    public func remove(_ layer: Layer) {
        guard layer.superlayer === self else { return }
        sublayers.removeAll { $0 === layer }
        layer.superlayer = nil
    }

    /// Removes it from its parent; does nothing without one.
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

    /// Moves the sublayer at `index` to its place in the otherwise sorted list.
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

    /// Marks this layer and all ancestors, since something in this subtree may move.
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

    /// Ends the animations that are over at `time` and calls their completions. A tree at rest costs nothing.
    ///
    /// A completion may do anything: start animations here or elsewhere, and change the tree. Animations that it starts
    /// do not end before the next call; layers that it removes get no completion in this call.
    ///
    /// - Parameter time: The parent's time.
    /// - Returns: Whether something is still moving.
    @discardableResult
    public func advance(to time: LocalTime) -> Bool {
        guard mayAnimate else { return false }
        endAnimations(at: time)
        // Read at the end: a completion may have started an animation in a layer that was already visited.
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

    /// Whether something in this subtree moves. Clears the marks where nothing does.
    private func refreshMayAnimate() -> Bool {
        guard mayAnimate else { return false }
        var moves = isMovingItself
        // A layer with its own time must keep passing it down.
        var mayMove = moves || timing != nil
        for sublayer in sublayers {
            if sublayer.refreshMayAnimate() { moves = true }
            if sublayer.mayAnimate { mayMove = true }
        }
        mayAnimate = mayMove
        return moves && timing?.speed != 0
    }

    /// The layer's local time at its parent's `time`.
    func localTime(_ time: LocalTime) -> LocalTime { timing.map { $0.activeTime(parent: time) } ?? time }
}
