import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeGestures
import GlissadeLayers
public import GlissadeTime

// The stack as a gesture target. Its pop pan sees the presses on all pages, but the recognizers on a page come first.

extension NavigationStack: @MainActor GestureTarget {
    /// The position of the pop pan's latest press, in layout points. For a scroll, the position of the pointer when
    /// the scroll began.
    public var pressLocation: Point { popPan.pressLocation }

    /// The targets under `point`, innermost first. `point` is in the coordinates of the stack's superlayer.
    ///
    /// During a transition, a point on the upper page hits the stack and, while the page is moving by itself, what the
    /// innermost target there returns as its `targetOnMovingPage`. On the lower page, only the bottom view and its
    /// content can be hit, and only while the upper page is moving out.
    public func elements(at point: Point, now: HostTime) -> [any GestureTarget] {
        let path = layer.path(to: point, at: LocalTime(now))
        if let transition {
            let edge = transition.progress.map { $0 * size.width } ?? transition.position(at: now, width: size.width)
            if point.x - layer.frame.minX >= edge {
                guard settlingDirection != nil else { return [self] }
                let innermost = path.lazy.compactMap { $0.owner as? any GestureTarget }.first
                return [innermost?.targetOnMovingPage, self].compactMap(\.self)
            }
            guard isPopping, let bottom = transition.lower.bottomView?.layer,
                let end = path.firstIndex(where: { $0 === bottom })
            else { return [] }
            return path[...end].compactMap { $0.owner as? any GestureTarget }
        }
        return path.compactMap { $0.owner as? any GestureTarget } + [self]
    }

    func popPanChanged() {
        let now = popPan.time
        switch popPan.state {
        case .began:
            guard beginDrag(popPan.direction == .pop ? .pop : .push, now: now) else {
                popPan.cancel()
                return popPan.settleEnded()
            }
            drag(translation: popPan.translation.x)
        case .changed: drag(translation: popPan.translation.x)
        case .ended:
            drag(translation: popPan.translation.x)
            release(velocity: popPan.velocity.x, now: now)
        // If `push` or `pop` has already taken over the page, canceling the drag changes nothing.
        case .cancelled: if isHeld { cancelDrag(now: now) }
        case .possible, .recognized, .failed: break
        }
    }
}

extension NavigationStack: @MainActor PopPanDelegate {
    public var containerFrame: Rect { layer.frame }
    public var popMode: PopPanRecognizer.Mode { top.popPolicy.mode }
    public var isRoot: Bool { pages.count == 1 }
    public var isPopDisabled: Bool { top.popPolicy.isDisabled }
    public func shouldBeginPop() -> Bool { top.shouldBeginPop() }
    public var popRange: Double? { top.popPolicy.range }
    public func isGestureExcluded(at point: Point) -> Bool {
        let point = Point(x: point.x - layer.frame.minX, y: point.y - layer.frame.minY)
        return top.popPolicy.gestureExclusionRects.contains { $0.contains(point) }
    }
    public var hasTrailingPage: Bool { top.trailingPage != nil }
    public func shouldBeginPush() -> Bool { top.shouldBeginTrailingPush() }
    /// The direction of the transition that a press would take over. Nil if no page is moving, if a drag holds the
    /// page, or during a scroll gesture.
    public var settlingDirection: PopPanRecognizer.Direction? {
        guard let transition, !transition.isHeld, !popPan.isScrolling else { return nil }
        return transition.kind == .pop ? .pop : .push
    }
    public var scrollContainers: [any ScrollContainer] { top.scrollContainers }
}
