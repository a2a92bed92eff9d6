import Animation
import Layers
import Time

/// A change from one page to another that is under way: under the hand, on its way after the hand, or by itself.
@MainActor final class Transition {
    enum Kind: Hashable {
        /// The upper page leaves to the right.
        case pop
        /// The upper page comes from the right; `isBound` where a hand pulls in the page bound there.
        case push(isBound: Bool)

        var isPush: Bool { self != .pop }
    }

    /// What moves the upper page.
    enum Mover {
        /// A hand, which took hold when the page's edge was at `anchor` points.
        case hand(anchor: Double, translation: Double)
        /// The spring after the hand.
        case settle(SettleAnimation)
        /// Nothing but time.
        case program(PercentDriver)
    }

    let kind: Kind
    /// The page above, which moves across the whole width.
    let upper: Page
    /// The page beneath.
    let lower: Page
    /// The stack once the transition is done.
    let finalPages: [Page]
    /// The stack where it is given up.
    let initialPages: [Page]
    var mover: Mover
    /// Whether the transition is the hand's: whether the dragged page was told that it is dragged.
    var isDragged = false
    /// Whether the program began it, and the hand that holds it has not moved it since: a click does not turn it back.
    var goesOnUnlessDragged = false
    /// Nil before the first look.
    var progress: Double?
    /// Whether the lower page is shown by a snapshot.
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

    /// Whether it puts one page on top of the stack as it was, and nothing else.
    var isPlainPush: Bool {
        kind.isPush && finalPages.count == initialPages.count + 1
            && zip(finalPages, initialPages).allSatisfy { $0 === $1 }
    }
    /// The page that is told of the hand: the one that is dragged away, or the one whose neighbour is pulled in.
    var draggedPage: Page { kind.isPush ? lower : upper }
    /// The page that is gone when the transition is done.
    var leaving: Page { kind.isPush ? lower : upper }
    /// The page that is there when the transition is done.
    var coming: Page { kind.isPush ? upper : lower }

    /// The progress at which the transition is done: the upper page gone for a pop, and in place for a push.
    var doneProgress: Double { kind.isPush ? 0 : 1 }

    var isHeld: Bool {
        if case .hand = mover { return true }
        return false
    }

    /// Whether what moves it brings it to its end, not back.
    var isGoingForward: Bool {
        switch mover {
        case .hand: false
        case .settle(let settle): (settle.target > 0) == (doneProgress > 0)
        case .program: true
        }
    }

    /// The upper page's left edge at `now`, in points.
    func position(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .hand(let anchor, let translation): min(max(anchor + translation, 0), width)
        case .settle(let settle): min(max(settle.position(at: now), 0), width)
        case .program(let driver):
            (kind.isPush ? 1 - driver.progress(at: LocalTime(now)) : driver.progress(at: LocalTime(now))) * width
        }
    }

    /// Points a second at which the upper page moves by itself.
    func velocity(at now: HostTime, width: Double) -> Double {
        switch mover {
        case .hand: 0
        case .settle(let settle): settle.velocity(at: now)
        case .program(let driver): driver.velocity(at: LocalTime(now)) * width * (kind.isPush ? -1 : 1)
        }
    }

    /// Whether it has come to rest at one of its ends.
    func isFinished(at now: HostTime) -> Bool {
        switch mover {
        case .hand: false
        case .settle(let settle): settle.isFinished(at: now)
        case .program(let driver): driver.isFinished(at: LocalTime(now))
        }
    }
}
