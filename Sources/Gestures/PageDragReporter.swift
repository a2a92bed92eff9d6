/// A page that is told of being dragged.
public protocol PageDragObserver: AnyObject {
    func willBeginDragging()
    /// - Parameter progress: How far it is gone, 0…1.
    func didDrag(progress: Double)
    /// The page has settled. It is `popped`, or back where it was.
    func didEndDragging(popped: Bool)
}

extension PageDragObserver {
    public func willBeginDragging() {}
    public func didDrag(progress: Double) {}
    public func didEndDragging(popped: Bool) {}
}

/// Tells a page of being dragged, in the one order there is: `willBeginDragging`, `didDrag` for every frame in which the
/// progress changed, `didEndDragging` once the settle has ended.
///
/// It is told of hands and frames as they come. A hand that takes hold again before the settle has ended goes on with the
/// same drag. A class: a page may act on the stack, and thereby on this, while it is told.
public final class PageDragReporter {
    public weak var observer: (any PageDragObserver)?
    /// Whether a drag is on, its settle included.
    public private(set) var isDragging = false
    private var progress = 0.0

    public init(observer: (any PageDragObserver)? = nil) { self.observer = observer }

    /// A hand takes hold.
    public func takeHold() {
        guard !isDragging else { return }
        isDragging = true
        progress = 0
        observer?.willBeginDragging()
    }

    /// A frame shows the page at `progress`.
    public func show(_ progress: Double) {
        guard isDragging, !progress.isNaN else { return }
        let clamped = min(max(progress, 0), 1)
        guard clamped != self.progress else { return }
        self.progress = clamped
        observer?.didDrag(progress: clamped)
    }

    /// The page has come to rest, or was torn away.
    public func settleEnded(popped: Bool) {
        guard isDragging else { return }
        isDragging = false
        observer?.didEndDragging(popped: popped)
    }
}
