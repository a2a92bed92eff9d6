import Animation
import Layers
import Time

/// A transition in progress between two pages: dragged, settling, or animated.
@MainActor final class Transition {
    enum Kind: Hashable {
        /// The upper page leaves to the right.
        case pop
        /// The upper page enters from the right. `isTrailing` is whether a drag pulls it in as a trailing page.
        case push(isTrailing: Bool)

        var isPush: Bool { self != .pop }
    }

    /// The source of the upper page's position.
    enum Mover {
        /// A drag that began with the upper page's left edge at `anchor`. Both values are in points.
        case drag(anchor: Double, translation: Double)
        /// The spring after a drag.
        case settle(SettleAnimation)
        /// An animation started by the program.
        case program(PercentDriver)
    }

    let kind: Kind
    /// The upper page, which moves across the whole width.
    let upper: Page
    /// The lower page.
    let lower: Page
    /// The stack if the transition is completed.
    let finalPages: [Page]
    /// The stack if the transition is cancelled.
    let initialPages: [Page]
    var mover: Mover
    /// Whether a drag began or caught the transition, so that the dragged page was notified.
    var isDragged = false
    /// Whether the transition continues when the drag is released: the program started it, and the drag has not moved
    /// the page since catching it. A mere click thus does not reverse a transition.
    var continuesUnlessDragged = false
    /// The upper page's distance from its place, as a fraction of the width; nil before the first frame.
    var progress: Double?
    /// Whether a snapshot replaces the lower page.
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

    /// Whether the transition pushes one page and changes nothing else.
    var isPlainPush: Bool {
        kind.isPush && finalPages.count == initialPages.count + 1
            && zip(finalPages, initialPages).allSatisfy { $0 === $1 }
    }
    /// The page that is notified of the drag: the one pulled aside, or the one whose trailing page is pulled in.
    var draggedPage: Page { kind.isPush ? lower : upper }
    /// The page that is hidden once the transition is complete.
    var leaving: Page { kind.isPush ? lower : upper }
    /// The page that is visible once the transition is complete.
    var coming: Page { kind.isPush ? upper : lower }

    /// The progress at completion: 1 for a pop, when the upper page is gone; 0 for a push, when it is in place.
    var doneProgress: Double { kind.isPush ? 0 : 1 }

    var isHeld: Bool {
        if case .drag = mover { return true }
        return false
    }

    /// Whether the transition is moving towards completion. False if it moves back or is held.
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

    /// The upper page's velocity, in points per second; 0 while a drag holds it.
    func velocity(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .drag: 0
        case .settle(let settle): settle.velocity(at: now)
        case .program(let driver): driver.velocity(at: LocalTime(now)) * width * (kind.isPush ? -1 : 1)
        }
    }

    /// Whether the transition has reached either end.
    func isFinished(at now: HostTime) -> Bool {
        switch mover {
        case .drag: false
        case .settle(let settle): settle.isFinished(at: now)
        case .program(let driver): driver.isFinished(at: LocalTime(now))
        }
    }
}
