import Animation
public import Geometry
public import Gestures
import Layers
public import Time

// The stack as what the recognizers hang on: the pop pan lies on all of it, the pages' own recognizers above.

extension NavigationStack: @MainActor GestureTarget {
    public var recognizers: [GestureRecognizer] { [popPan] }

    /// Where the hand went down that draws a page aside, or asks whether it may, in window points; for a scroll, where the
    /// pointer was.
    public var pressLocation: Point { popPan.pressLocation }

    /// The elements under `point`, innermost first. While a page moves there is only that page to be taken hold of, and
    /// the bottom view of a page that comes to light.
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
        // Where the program has taken the page out of the hand, losing the hand changes nothing.
        case .cancelled: if isHeld { cancelDrag(now: now) }
        case .possible, .recognized, .failed: break
        }
    }
}

extension NavigationStack: @MainActor PopPanDelegate {
    public var containerFrame: Rect { layer.frame }
    public var popMode: PopPanRecognizer.Mode { top.popPolicy.mode }
    public var isRoot: Bool { pages.count == 1 }
    public var isPopClosed: Bool { top.popPolicy.isClosed }
    public func shouldBeginPop() -> Bool { top.shouldBeginPop() }
    public var popRange: Double? { top.popPolicy.range }
    public func gestureExclusionRects(containing point: Point) -> Bool {
        let point = Point(x: point.x - layer.frame.minX, y: point.y - layer.frame.minY)
        return top.popPolicy.gestureExclusionRects.contains { $0.contains(point) }
    }
    public var hasBoundPage: Bool { top.trailingPage != nil }
    public func shouldBeginPush() -> Bool { top.shouldBeginBoundPush() }
    /// Scrolls do not press: they take hold of a page once they go its way.
    public var settlingDirection: PopPanRecognizer.Direction? {
        guard let transition, !transition.isHeld, !popPan.isScrolling else { return nil }
        return transition.kind == .pop ? .pop : .push
    }
    public var scrollContainers: [any ScrollContainer] { top.scrollContainers }
}
