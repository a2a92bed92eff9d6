public import Animation
public import Geometry

/// A node of the layer tree: a rectangle with content, above its parent and below its later siblings.
///
/// Lives on one thread, its owner's. Coordinates are points from the parent's top left corner.
///
/// What can be animated has a *model* value, where it is going to be, and a *presentation* value, where it is at a given
/// time: `opacity` is the model of `animatedOpacity`, and so on. Drawing and hit tests go by the presentation value.
///
/// Trees are walked by recursion: a thousand deep is tested, ten thousand overflows a stack of 8 MiB in a debug build.
///
/// What each frame reads of each layer is not checked for overlapping accesses at run time, which was half of the cost of
/// a frame (Benchmarks/Stage). It is plain values, set and read whole, and what only this file changes.
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
    @exclusivity(unchecked) public var frame: Rect
    public var content: Content
    @exclusivity(unchecked) public var isHidden = false
    /// Black laid over the layer and all in it, 0…1. As a black layer on top, but at no cost.
    @exclusivity(unchecked) public var shade = 0.0
    /// Of the layer's own content, in points.
    @exclusivity(unchecked) public var cornerRadius = 0.0
    /// How far a surface is turned about the rectangle's middle, clockwise, in quarter turns. Of the layer's own content,
    /// and nothing else: hit tests and what lies in it go by the rectangle.
    @exclusivity(unchecked) public var turn = 0.0
    /// Whether nothing in it is seen beyond its rectangle.
    @exclusivity(unchecked) public var clipsToBounds = false
    @exclusivity(unchecked) public var shadow: Shadow?
    /// Siblings lie in its order, and where it is the same in the order in which they were added.
    public var zPosition = 0.0 {
        didSet {
            guard zPosition != oldValue, let superlayer else { return }
            if let index = superlayer.sublayers.firstIndex(where: { $0 === self }) {
                superlayer.sortSublayer(at: index)
            }
        }
    }
    /// How the layer's own time goes, and that of all in it.
    @exclusivity(unchecked) public var timing: MediaTiming? { didSet { noteAnimation() } }

    /// Whether a hit test finds it; what lies in it is found in any case.
    public var isHitTestable = true
    /// How far beyond its rectangle it is hit, in points; also beyond its parent's.
    public var hitMargin = 0.0
    /// Who hears of hits.
    public weak var owner: AnyObject?

    @exclusivity(unchecked) public private(set) var sublayers: [Layer] = []
    /// Kept without counting: each frame goes by all layers, and counting those that somebody knows weakly is slow. It
    /// never outlives its layer, which takes it back from its sublayers when it goes away.
    public private(set) unowned(unsafe) var superlayer: Layer?

    /// How far it is moved from where layout has put it, in points. Drawn on whole device pixels, with all that is in it.
    public let animatedTranslation = Animated(Point.zero)
    /// By which it is enlarged, with all that is in it, about its middle.
    public let animatedScale = Animated(1.0)
    /// 0…1; it multiplies down the tree.
    public let animatedOpacity = Animated(1.0)

    /// Among siblings, the order in which they were added; `zPosition` goes before it.
    private var rank = 0
    /// Beyond those of all sublayers.
    private var nextRank = 0

    /// Whether something in the tree from here on may be animated.
    @exclusivity(unchecked) private var mayAnimate = false
    /// Of the passes that begin here.
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
        // Somebody else may keep them.
        animatedTranslation.onMove = nil
        animatedScale.onMove = nil
        animatedOpacity.onMove = nil
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

    /// Puts `layer` at `index` of the sublayers, the lowest first. Nothing where this layer is in it.
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

    /// Takes `layer` out of the sublayers; nothing where it is not one.
    public func remove(_ layer: Layer) {
        guard layer.superlayer === self else { return }
        sublayers.removeAll { $0 === layer }
        layer.superlayer = nil
    }

    public func removeFromSuperlayer() { superlayer?.remove(self) }

    /// Whether this is `layer`, or in it.
    private func isInside(_ layer: Layer) -> Bool {
        var outer: Layer? = self
        while let current = outer {
            if current === layer { return true }
            outer = current.superlayer
        }
        return false
    }

    /// Moves the sublayer at `index` to where it belongs; all others are sorted.
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

    /// Something here may move: all above are to look this way.
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

    /// Ends the animations that are over at `time`, and calls their completions. Resting trees cost nothing.
    ///
    /// A completion may do anything: begin other animations, here or elsewhere, and change the tree. What it begins is
    /// not over before the next call; what it removes is not told of this one.
    /// - Parameter time: the parent's.
    /// - Returns: whether something still moves.
    @discardableResult
    public func advance(to time: LocalTime) -> Bool {
        guard mayAnimate else { return false }
        endAnimations(at: time)
        // Looked at only now: a completion may have begun something where this has been already.
        return lookForMovement()
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

    /// Whether something moves from here on; takes note of what does not.
    private func lookForMovement() -> Bool {
        guard mayAnimate else { return false }
        var moves = isMovingItself
        // A layer that keeps a time of its own must go on handing it down.
        var mayMove = moves || timing != nil
        for sublayer in sublayers {
            if sublayer.lookForMovement() { moves = true }
            if sublayer.mayAnimate { mayMove = true }
        }
        mayAnimate = mayMove
        return moves && timing?.speed != 0
    }

    /// The layer's own time at its parent's `time`.
    func localTime(_ time: LocalTime) -> LocalTime { timing.map { $0.activeTime(parent: time) } ?? time }
}
