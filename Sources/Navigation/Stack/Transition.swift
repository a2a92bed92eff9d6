import GlissadeAnimation
import GlissadeLayers
import GlissadeTime

/// A transition in progress between two pages, driven by a drag, a spring or an animation.
@MainActor final class Transition {
    enum Kind: Hashable {
        /// The upper page leaves to the right.
        case pop
        /// The upper page enters from the right. `isTrailing` tells whether a drag pulls the page in as a trailing
        /// page.
        case push(isTrailing: Bool)

        var isPush: Bool { self != .pop }
    }

    /// What determines the upper page's position.
    enum Mover {
        /// A drag that has moved by `translation`, and began with the upper page's left edge at `anchor`. Both are in
        /// points.
        case drag(anchor: Double, translation: Double)
        /// A spring, used after a drag and whenever a call completes or reverts a transition from its visible
        /// position.
        case settle(SettleAnimation)
        /// The animation of a transition started by a call.
        case program(PercentDriver)
    }

    let kind: Kind
    /// The upper page, which moves across the whole width.
    let upper: Page
    /// The page beneath, which shifts by a fraction of the width (`TransitionStyle.parallax`).
    let lower: Page
    /// The pages on the stack if the transition is completed, lowest first.
    let finalPages: [Page]
    /// The pages on the stack if the transition is reverted, lowest first.
    let initialPages: [Page]
    var mover: Mover
    /// Whether a drag has started or taken over the transition. If so, `draggedPage` has been notified of the drag.
    var isDragged = false
    /// Whether the transition is completed when the drag is released. True if the transition was started by a call and
    /// the drag has hardly moved the page, so that a mere click does not revert the transition.
    var continuesUnlessDragged = false
    /// The distance from the stack's left edge to the upper page's left edge, as a fraction of the width; nil before
    /// the transition's first frame.
    var progress: Double?
    /// Whether a snapshot is shown in place of the lower page's content and bar.
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

    /// Whether the transition pushes one page and changes nothing else on the stack.
    var isPlainPush: Bool {
        kind.isPush && finalPages.count == initialPages.count + 1
            && zip(finalPages, initialPages).allSatisfy { $0 === $1 }
    }
    /// The page that is notified of drags: the page that is pulled aside, or the page over which another page is
    /// pulled.
    var draggedPage: Page { kind.isPush ? lower : upper }
    /// The page that is hidden once the transition is complete.
    var leaving: Page { kind.isPush ? lower : upper }
    /// The page that is visible once the transition is complete.
    var coming: Page { kind.isPush ? upper : lower }

    /// The progress at completion: 1 for a pop, when the upper page has left; 0 for a push, when it fills the stack.
    var doneProgress: Double { kind.isPush ? 0 : 1 }

    var isHeld: Bool {
        if case .drag = mover { return true }
        return false
    }

    /// Whether the transition is moving toward completion. False if it is being reverted, or if a drag holds the page.
    var isGoingForward: Bool {
        switch mover {
        case .drag: false
        case .settle(let settle): (settle.target > 0) == (doneProgress > 0)
        case .program: true
        }
    }

    /// The position of the upper page's left edge at `now`, in points, 0…`width`.
    func position(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .drag(let anchor, let translation): min(max(anchor + translation, 0), width)
        case .settle(let settle): min(max(settle.position(at: now), 0), width)
        case .program(let driver):
            (kind.isPush ? 1 - driver.progress(at: LocalTime(now)) : driver.progress(at: LocalTime(now))) * width
        }
    }

    /// The upper page's velocity, in points per second, positive to the right; 0 while a drag holds the page.
    func velocity(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .drag: 0
        case .settle(let settle): settle.velocity(at: now)
        case .program(let driver): driver.velocity(at: LocalTime(now)) * width * (kind.isPush ? -1 : 1)
        }
    }

    /// Whether the pages have reached their final positions. False while a drag holds the page.
    func isFinished(at now: HostTime) -> Bool {
        switch mover {
        case .drag: false
        case .settle(let settle): settle.isFinished(at: now)
        case .program(let driver): driver.isFinished(at: LocalTime(now))
        }
    }
}
