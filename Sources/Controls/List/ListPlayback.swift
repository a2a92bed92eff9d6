public import Time

/// Decides which row of a list plays in place, and what happens to its video when the row leaves the view. Pure: the
/// visible rows and the time are passed in.
///
/// - While the list rests, the most visible row plays; among equally visible rows, the upper one. A list rests once it
/// has not scrolled for `restDelay`; until then the row that would play is only `marked`.
/// - The playing row keeps playing while at most `disappearThreshold` of it is out of view, even if another is more
/// visible: a video should not stop because a neighbor came into view. No row starts that is less visible than that.
/// - Beyond that, its video continues in the corner or stops, as configured. Once enough of the row is back, it takes
/// the video back.
/// - A video that started by itself gives way to the most visible row when the list rests. A *held* video, which the
///   user opened or has watched for a while, keeps the corner; meanwhile, no other row starts or is marked.
/// - A video that the user stopped, or that reached its end, does not start again by itself until the list has been
/// scrolled.
/// - A row that is removed from the list (`forget`) stops a video that started by itself; a held video is released and
/// continues elsewhere.
public struct ListPlayback<ID: Hashable & Sendable>: Sendable {
    /// What happens to a video whose row leaves the view.
    public enum Leaving: Hashable, Sendable { case corner, stop }
    /// Where a video is shown.
    public enum Place: Hashable, Sendable { case row, corner }

    /// The action to take for a video.
    public enum Action: Hashable, Sendable {
        /// Start the row's video, and stop any other video in the list.
        case play(ID)
        /// Continue the row's video in the corner.
        case handOver(ID)
        /// Return the video from the corner to its row.
        case takeBack(ID)
        /// Stop the row's video.
        case stop(ID)
        /// The row's video has ended; start this row's and scroll it into view.
        case next(ID)
        /// Release the video of a removed row, which continues outside of this list.
        case release(ID)
    }

    /// A visible row.
    public struct Row: Hashable, Sendable {
        /// Identifies the row, wherever it is.
        public var id: ID
        /// The visible fraction of the row, 0…1.
        public var fraction: Double
        /// Whether it has a video, as far as is known.
        public var canPlay: Bool

        public init(id: ID, fraction: Double, canPlay: Bool) {
            self.id = id
            self.fraction = fraction
            self.canPlay = canPlay
        }
    }

    /// A list rests after this long without movement.
    public static var restDelay: Duration { .milliseconds(150) }
    /// Half of the row.
    public static var defaultDisappearThreshold: Double { 0.5 }

    /// The fraction of a row that may be out of view before it loses its video, 0…1.
    public var disappearThreshold = Self.defaultDisappearThreshold
    /// What happens to a video whose row goes out of view.
    public var leaving = Leaving.corner
    /// Whether the next row starts when a video ends.
    public var playsNext = false
    /// Whether rows neither start nor lose a video, because the list is not visible, its page moves, or something else
    /// plays.
    public var isSuspended = false

    /// The row whose video plays or is paused.
    public private(set) var current: ID?
    /// Where it is shown.
    public private(set) var place = Place.row
    /// Whether the user has shown interest in it.
    public private(set) var isHeld = false
    /// The row that would play if the list came to rest.
    public private(set) var marked: ID?
    /// Whether nothing starts until the list has been scrolled.
    private var waitsForScroll = false
    private var restsFrom: HostTime?
    /// Whether the row is scrolling into view: it keeps its video until it arrives, or until the list rests without it.
    private var awaitsRow = false

    public init() {}

    /// When to call `update` again even if nothing moves; nil if not before the next change.
    public var nextWake: HostTime? { isSuspended || marked == nil ? nil : restsFrom }

    // MARK: - What is seen

    /// Takes the visible rows of the list.
    ///
    /// - Parameters:
    ///   - rows: The visible rows from the top; others may be included.
    ///   - isScrolling: Whether the list is dragged or moves by itself.
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

    /// Decides about the current video, given the visible fraction of its row.
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

    /// The row that should play, if it is not the current one.
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

    /// Call when the user opens a row's video, or when it already plays as the list appears. It is held from now on,
    /// unless it started by itself.
    ///
    /// - Parameter staysInCorner: Whether this video replaces one in the corner although its row is out of view.
    public mutating func open(_ id: ID, isHeld: Bool = true, staysInCorner: Bool = false) {
        guard current != id else {
            self.isHeld = self.isHeld || isHeld
            return
        }
        let wasInCorner = place == .corner
        begin(id, isHeld: isHeld)
        if staysInCorner, wasInCorner { place = .corner }
    }

    /// Call when the current video was watched for a while, or opened from the corner.
    public mutating func hold() { if current != nil { isHeld = true } }

    /// Call when the user has stopped it, or something else plays. Nothing in this list plays now, and nothing starts
    /// by itself until it has been scrolled.
    public mutating func wasStopped() {
        end()
        waitsForScroll = true
    }

    /// Call when the video has reached its end.
    ///
    /// - Parameter next: The next row that can play.
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

    /// Call when the video cannot be played. The row must not be reported as playable again.
    public mutating func failed() { end() }

    /// Call when the list has other rows; `isThere` tells whether a row still exists.
    public mutating func forget(unless isThere: (ID) -> Bool) -> Action? {
        if let marked, !isThere(marked) { self.marked = nil }
        guard let old = current, !isThere(old) else { return nil }
        let wasHeld = isHeld
        end()
        return wasHeld ? .release(old) : .stop(old)
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
