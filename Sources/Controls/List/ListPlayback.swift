public import Time

/// Decides which row of a list plays in place, and what becomes of its film when the row goes out of view. Told what is
/// seen and the time; pure.
///
/// - While the list rests, the row most in view plays, of two that are seen as much the upper one. A list rests once it has
///   not scrolled for `restDelay`; until then the row that would play is only `marked`.
/// - The row that plays keeps playing while no more than `disappearThreshold` of it is out of view, whichever is seen more:
///   a film is not to break off because a neighbour came in. No row begins of which less than that is seen.
/// - Beyond that its film goes on in the corner, or stops, as set. When so much of the row is back, it takes its film back.
/// - A film that began by itself gives way to the row most in view once the list rests; one that is *held*, because a person
///   opened it or has watched it for a while, keeps the corner, and no other row begins or is marked meanwhile.
/// - What a person has ended, and what has played to its end, does not begin again by itself before the list was scrolled.
/// - A row that is gone from its list (`forget`) stops what began by itself; a held film is let go of, and goes on elsewhere.
public struct ListPlayback<ID: Hashable & Sendable>: Sendable {
    /// What becomes of a film whose row goes out of view.
    public enum Leaving: Hashable, Sendable { case corner, stop }
    /// Where a film is seen.
    public enum Place: Hashable, Sendable { case row, corner }

    /// What is to be done.
    public enum Action: Hashable, Sendable {
        /// The row's film begins, and whatever else played here ends.
        case play(ID)
        /// The row's film goes on in the corner.
        case handOver(ID)
        /// The row has its film back from the corner.
        case takeBack(ID)
        /// The row's film ends.
        case stop(ID)
        /// The row's film has ended, and this row's begins: it is to be brought into view.
        case next(ID)
        /// The film of a row that is gone goes on, but it is none of this list's any more.
        case letGo(ID)
    }

    /// A row in view.
    public struct Row: Hashable, Sendable {
        public var id: ID
        /// How much of it is seen, 0…1.
        public var fraction: Double
        /// Whether there is a film in it, as far as is known.
        public var canPlay: Bool

        public init(id: ID, fraction: Double, canPlay: Bool) {
            self.id = id
            self.fraction = fraction
            self.canPlay = canPlay
        }
    }

    /// After so long without movement a list rests.
    public static var restDelay: Duration { .milliseconds(150) }
    public static var defaultDisappearThreshold: Double { 0.5 }

    /// The share of a row that may be out of view before it loses its film, 0…1.
    public var disappearThreshold = Self.defaultDisappearThreshold
    public var leaving = Leaving.corner
    /// Whether at a film's end the next row's begins.
    public var playsNext = false
    /// Whether rows neither begin nor lose anything: the list is not seen, or moves with its page, or something else plays.
    public var isSuspended = false

    /// The row whose film plays, or is paused.
    public private(set) var current: ID?
    /// Where it is seen.
    public private(set) var place = Place.row
    /// Whether a person has shown to want it.
    public private(set) var isHeld = false
    /// The row that would play if the list rested.
    public private(set) var marked: ID?
    /// Nothing begins before the list was scrolled.
    private var waitsForScroll = false
    private var restsFrom: HostTime?
    /// The row is on its way into view: it keeps its film until it is there, or the list rests without it.
    private var awaitsRow = false

    public init() {}

    /// When `update` is to be called again though nothing moves; nil: when something has changed.
    public var nextWake: HostTime? { isSuspended || marked == nil ? nil : restsFrom }

    // MARK: - What is seen

    /// The list shows `rows`.
    ///
    /// - Parameters:
    ///   - rows: those in view, the topmost first; others may be left out.
    ///   - isScrolling: whether a hand holds the list, or it moves by itself.
    public mutating func update(_ rows: [Row], isScrolling: Bool, now: HostTime) -> Action? {
        if isScrolling {
            waitsForScroll = false
            restsFrom = now + Self.restDelay
        }
        guard !isSuspended else {
            marked = nil
            return nil
        }
        let isAtRest = !isScrolling && restsFrom.map { now >= $0 } ?? true
        if isAtRest { awaitsRow = false }
        let least = 1 - min(max(disappearThreshold, 0), 1)
        if let current, let action = follow(current, fraction: fraction(of: current, in: rows), least: least) {
            return action
        }
        marked = candidate(in: rows, least: least)
        guard let marked, isAtRest else { return nil }
        begin(marked, isHeld: false)
        return .play(marked)
    }

    /// What becomes of the film that there is, now that so much of its row is seen.
    private mutating func follow(_ id: ID, fraction: Double, least: Double) -> Action? {
        if fraction >= least { awaitsRow = false }
        switch place {
        case .row where fraction < least && !awaitsRow:
            marked = nil
            guard leaving == .corner else {
                end()
                return .stop(id)
            }
            place = .corner
            return .handOver(id)
        case .corner where fraction >= least && fraction > 0:
            marked = nil
            place = .row
            return .takeBack(id)
        case .row, .corner: return nil
        }
    }

    /// The row that is to play, if it is not the one that does.
    private func candidate(in rows: [Row], least: Double) -> ID? {
        guard !waitsForScroll, current == nil || place == .corner && !isHeld else { return nil }
        var best: Row?
        for row in rows where row.canPlay && row.fraction > 0 && row.fraction >= least && row.id != current {
            if row.fraction > best?.fraction ?? 0 { best = row }
        }
        return best?.id
    }

    private func fraction(of id: ID, in rows: [Row]) -> Double { rows.first { $0.id == id }?.fraction ?? 0 }

    // MARK: - What happens to films

    /// A person opens the film of a row, or it plays already when the list comes: it is held from now on, unless it began
    /// by itself.
    ///
    /// - Parameter staysInCorner: whether a film in the corner is followed there by this one, whose row is out of view.
    public mutating func open(_ id: ID, isHeld: Bool = true, staysInCorner: Bool = false) {
        guard current != id else {
            self.isHeld = self.isHeld || isHeld
            return
        }
        let wasInCorner = place == .corner
        begin(id, isHeld: isHeld)
        if staysInCorner, wasInCorner { place = .corner }
    }

    /// What plays was watched for a while, or opened from the corner.
    public mutating func hold() { if current != nil { isHeld = true } }

    /// A person has ended it, or something else plays: of this list nothing does, and nothing begins by itself before it
    /// was scrolled.
    public mutating func wasStopped() {
        end()
        waitsForScroll = true
    }

    /// The film has played to its end.
    ///
    /// - Parameter next: the row after it that can play.
    public mutating func ended(next: ID?) -> Action? {
        guard let old = current else { return nil }
        let (wasHeld, wasInCorner) = (isHeld, place == .corner)
        end()
        waitsForScroll = true
        if playsNext, !isSuspended, let next, next != old {
            begin(next, isHeld: wasHeld)
            awaitsRow = true
            return .next(next)
        }
        return wasInCorner ? .stop(old) : nil
    }

    /// The film cannot be played: the row is not to be named as one that can again.
    public mutating func failed() { end() }

    /// The list has other rows; `isThere` says of one whether it is still among them.
    public mutating func forget(unless isThere: (ID) -> Bool) -> Action? {
        if let marked, !isThere(marked) { self.marked = nil }
        guard let old = current, !isThere(old) else { return nil }
        let wasHeld = isHeld
        end()
        return wasHeld ? .letGo(old) : .stop(old)
    }

    private mutating func begin(_ id: ID, isHeld: Bool) {
        current = id
        place = .row
        self.isHeld = isHeld
        marked = nil
        waitsForScroll = false
        awaitsRow = false
    }

    private mutating func end() {
        current = nil
        awaitsRow = false
        place = .row
        isHeld = false
        marked = nil
    }
}
