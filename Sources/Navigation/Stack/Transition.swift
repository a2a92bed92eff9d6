import Animation
import Layers
import Time

/// A transition in progress between two pages: dragged, settling, or animated.
@MainActor final class Transition {
    enum Kind: Hashable {
        /// The upper page leaves to the right.
        case pop
        /// The upper page enters from the right. `isTrailing` if a drag pulls in the trailing page.
        case push(isTrailing: Bool)

        var isPush: Bool { self != .pop }
    }

    /// Moves the upper page.
    enum Mover {
        /// A drag, which began when the page's edge was at `anchor` points.
        case drag(anchor: Double, translation: Double)
        /// The spring after a drag.
        case settle(SettleAnimation)
        /// An animation.
        case program(PercentDriver)
    }

    let kind: Kind
    /// The upper page, which moves across the whole width.
    let upper: Page
    /// The lower page.
    let lower: Page
    /// The stack once the transition is complete.
    let finalPages: [Page]
    /// The stack if it is cancelled.
    let initialPages: [Page]
    var mover: Mover
    /// Whether the transition began with a drag, so that the dragged page was told about it.
    var isDragged = false
    /// Whether the program began it, and the drag that caught it has not moved it since: a mere click does not reverse
    /// it.
    var continuesUnlessDragged = false
    /// Nil before the first frame.
    var progress: Double?
    /// Whether a snapshot stands in for the lower page.
    var hasSnapshot = false

    init(
        _ kind: Kind, upper: Page, lower: Page, initialPages: [Page], finalPages: [Page], mover: Mover
    ) {
        self.kind = kind
        self.upper = upper
        self.lower = lower
        self.initialPages = initialPages
        self.finalPages = finalPages
        self.mover = mover
    }

    /// Whether it pushes one page and changes nothing else.
    var isPlainPush: Bool {
        kind.isPush && finalPages.count == initialPages.count + 1
            && zip(finalPages, initialPages).allSatisfy { $0 === $1 }
    }
    /// The page that is notified of the drag: the one pulled aside, or the one whose trailing page is pulled in.
    var draggedPage: Page { kind.isPush ? lower : upper }
    /// The page that is gone when the transition is complete.
    var leaving: Page { kind.isPush ? lower : upper }
    /// The page that is visible when the transition is complete.
    var coming: Page { kind.isPush ? upper : lower }

    /// The progress at completion: the upper page gone for a pop, in place for a push.
    var doneProgress: Double { kind.isPush ? 0 : 1 }

    var isHeld: Bool {
        if case .drag = mover { return true }
        return false
    }

    /// Whether it is moving towards completion rather than back.
    var isGoingForward: Bool {
        switch mover {
        case .drag: false
        case .settle(let settle): (settle.target > 0) == (doneProgress > 0)
        case .program: true
        }
    }

    /// The upper page's left edge at `now`, in points.
    func position(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .drag(let anchor, let translation): min(max(anchor + translation, 0), width)
        case .settle(let settle): min(max(settle.position(at: now), 0), width)
        case .program(let driver):
            (kind.isPush ? 1 - driver.progress(at: LocalTime(now)) : driver.progress(at: LocalTime(now))) * width
        }
    }

    /// The velocity of the upper page when not dragged, in points per second.
    func velocity(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .drag: 0
        case .settle(let settle): settle.velocity(at: now)
        case .program(let driver): driver.velocity(at: LocalTime(now)) * width * (kind.isPush ? -1 : 1)
        }
    }

    /// Whether it has reached one of its ends.
    func isFinished(at now: HostTime) -> Bool {
        switch mover {
        case .drag: false
        case .settle(let settle): settle.isFinished(at: now)
        case .program(let driver): driver.isFinished(at: LocalTime(now))
        }
    }
}
