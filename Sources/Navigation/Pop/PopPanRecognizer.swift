import GlissadeGeometry
public import GlissadeGestures
public import GlissadeInput

/// Recognizes drags that pull a page off to the right, or pull its trailing page in from the right.
///
/// In edge mode, this recognizer takes precedence over every other recognizer. In full mode, it waits for other pans
/// under the press to fail, and treats scroll pans as follows. Content that scrolls sideways keeps the drag if the
/// content can still scroll in the direction of the drag, or is still moving from an earlier scroll. All other scroll
/// pans are canceled.
///
/// A press on moving pages takes the pages over immediately.
public final class PopPanRecognizer: PanRecognizer {
    /// Where a drag can begin.
    public enum Mode: Hashable, Sendable {
        /// Anywhere for a push; anywhere within the delegate's `popRange` for a pop.
        case full
        /// Only within `edgeWidth` of the container's left edge for a pop, or of its right edge for a push. The drag
        /// takes precedence over every other recognizer.
        case edge
    }

    /// The direction of a drag: to pop the page, or to push its trailing page.
    public enum Direction: Hashable, Sendable { case pop, push }

    /// The distance from the container's edge within which a drag can begin in edge mode, in points.
    public static let edgeWidth = 50.0

    /// The delegate that decides what may be dragged, held weakly. If this is nil, nothing can be dragged.
    public weak var context: (any PopPanDelegate)?
    /// The direction of the latest drag, determined when it begins.
    public private(set) var direction = Direction.pop
    /// Whether the latest press took over pages that were moving.
    public private(set) var isCatching = false

    private var canPop = false
    private var canPush = false
    private let suspension = ScrollSuspension()

    public init(context: (any PopPanDelegate)? = nil, name: String = "pop") {
        self.context = context
        super.init(axes: .any, name: name)
    }

    deinit { suspension.release() }

    /// Lets the page's content scroll again. Call this when the page has settled.
    public func settleEnded() { suspension.release() }

    public override func pressed(_ event: PointerEvent) {
        super.pressed(event)
        cancelsOthers = false
        isCatching = false
        guard let context else { return fail() }
        if let settling = context.settlingDirection {
            direction = settling
            isCatching = true
            cancelsOthers = true
            return begin()
        }
        readRules(of: context, at: event.position)
        if !canPop && !canPush { fail() }
    }

    private func readRules(of context: any PopPanDelegate, at point: Point) {
        let isExcluded = isInGestureExclusion || context.isGestureExcluded(at: point)
        let frame = context.containerFrame
        var fromLeft = context.popRange ?? .infinity
        var fromRight = Double.infinity
        if context.popMode == .edge {
            cancelsOthers = true
            fromLeft = min(fromLeft, Self.edgeWidth)
            fromRight = Self.edgeWidth
        }
        canPop =
            !isExcluded && !context.isRoot && !context.arePopsDisabled && !context.isPopDisabled
            && point.x - frame.minX < fromLeft
        canPush = !isExcluded && context.hasTrailingPage && frame.maxX - point.x < fromRight
    }

    public override func canBegin() -> Bool {
        if isCatching { return true }
        guard let context, abs(translation.x) >= abs(translation.y) else { return false }
        direction = translation.x > 0 ? .pop : .push
        return direction == .pop ? canPop && context.shouldBeginPop() : canPush && context.shouldBeginPush()
    }

    public override func requiresFailure(of other: GestureRecognizer) -> Bool {
        if cancelsOthers { return false }
        if let scroll = other as? ScrollPanRecognizer {
            if keeps(scroll) { return true }
        } else if other is PanRecognizer, !(other is PopPanRecognizer) {
            return true
        }
        return super.requiresFailure(of: other)
    }

    public override func cancels(_ other: GestureRecognizer) -> Bool { cancelsOthers || other is ScrollPanRecognizer }

    /// Whether the content that `scroll` scrolls keeps a drag in the current direction, instead of leaving it to this
    /// recognizer.
    private func keeps(_ scroll: ScrollPanRecognizer) -> Bool {
        guard let container = scroll.container, container.axis != .vertical else { return false }
        if container.isDecelerating { return true }
        let isAtEnd = direction == .pop ? container.isAtLeftEnd : container.isAtRightEnd
        let showsLast = direction == .pop ? container.showsFirstPage : container.showsLastPage
        return !isAtEnd || (container.isPaged && !showsLast)
    }

    public override func willBegin(among others: [GestureRecognizer]) {
        for other in others {
            if let container = (other as? ScrollPanRecognizer)?.container { suspension.hold(container) }
        }
        for container in context?.scrollContainers ?? [] { suspension.hold(container) }
    }
}
