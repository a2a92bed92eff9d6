import Animation
public import Geometry
public import Gestures
import Layers
public import Time

// The stack as a gesture target. Its pop pan covers all pages, but the pages' own recognizers have priority.

extension NavigationStack: @MainActor GestureTarget {
    public var recognizers: [GestureRecognizer] { [popPan] }

    /// The position of the pop pan's latest press, in window points. For a scroll, the pointer's position when it
    /// began.
    public var pressLocation: Point { popPan.pressLocation }

    /// The targets under `point`, innermost first. During a transition, points on the upper page hit only the stack.
    /// On the lower page, only the bottom view can be hit, and only while the upper page is being removed.
    public func elements(at point: Point, now: HostTime) -> [any GestureTarget] {
        let path = layer.path(to: point, at: LocalTime(now))
        if let transition {
            let edge = transition.progress.map { $0 * size.width } ?? transition.position(at: now, width: size.width)
            if point.x - layer.frame.minX >= edge { return [self] }
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
        // If `push` or `pop` has already taken over the page, cancelling the drag changes nothing.
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
    /// Nil during a scroll: it has no press, and catches a settling page only once its pan begins.
    public var settlingDirection: PopPanRecognizer.Direction? {
        guard let transition, !transition.isHeld, !popPan.isScrolling else { return nil }
        return transition.kind == .pop ? .pop : .push
    }
    public var scrollContainers: [any ScrollContainer] { top.scrollContainers }
}
