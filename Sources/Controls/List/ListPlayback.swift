public import GlissadeTime

/// Decides which row of a list plays its video in place, and what happens to the video when the row leaves the view.
/// Pure: the visible rows and the time are passed in.
///
/// - Once the list is at rest, the most visible row starts to play. Of equally visible rows, the uppermost starts. The
///   list is at rest when it has not scrolled for `restDelay`. Until then, the row that would start is only `marked`.
/// - A row can start only if at most `disappearThreshold` of it is out of view. A playing row keeps playing under the
///   same condition, even if another row is more visible.
/// - When more than `disappearThreshold` of the playing row is out of view, its video moves to the corner or stops,
///   depending on `leaving`. When enough of the row is visible again, the video returns from the corner to the row.
/// - A video is *held* if the user opened it or has watched it for a while. While a held video is in the corner, no
///   other row starts or is marked. A video in the corner that is not held is replaced by the most visible row once the
///   list is at rest.
/// - After the user stops a video, nothing starts by itself until the list is scrolled. After a video ends, the next
///   row starts if `playsNext` is true. Otherwise, nothing starts by itself until the list is scrolled.
/// - When a row with a held video is removed from the list (`forget`), the video is released and continues elsewhere. A
///   video that is not held stops.
public struct ListPlayback<ID: Hashable & Sendable>: Sendable {
    /// What happens to a video when its row leaves the view.
    public enum Leaving: Hashable, Sendable { case corner, stop }
    /// Where a video is shown.
    public enum Place: Hashable, Sendable { case row, corner }

    /// An action that the owner must carry out.
    public enum Action: Hashable, Sendable {
        /// Start this row's video, and stop any other video of the list.
        case play(ID)
        /// Move this row's video to the corner.
        case handOver(ID)
        /// Move this row's video from the corner back to the row.
        case takeBack(ID)
        /// Stop this row's video.
        case stop(ID)
        /// Start this row's video after another one has ended, and scroll the row into view.
        case next(ID)
        /// Stop showing the video of this removed row. The video continues outside the list.
        case release(ID)
    }

    /// A row of the list and its visible fraction.
    public struct Row: Hashable, Sendable {
        /// Identifies the row, even after the row has moved.
        public var id: ID
        /// The visible fraction of the row, 0…1.
        public var fraction: Double
        /// Whether the row is known to have a playable video.
        public var canPlay: Bool

        public init(id: ID, fraction: Double, canPlay: Bool) {
            self.id = id
            self.fraction = fraction
            self.canPlay = canPlay
        }
    }

    /// A list that has not scrolled for this long counts as at rest.
    public static var restDelay: Duration { .milliseconds(150) }
    /// The default `disappearThreshold`: half of the row.
    public static var defaultDisappearThreshold: Double { 0.5 }

    /// The fraction of a row that may be out of view before its video leaves the row, 0…1.
    public var disappearThreshold = Self.defaultDisappearThreshold
    /// What happens to a video when its row leaves the view.
    public var leaving = Leaving.corner
    /// Whether the next row starts when a video ends.
    public var playsNext = false
    /// Whether automatic playback is suspended: no video starts by itself, and none leaves its row. Set this while the
    /// list is not visible, while its page moves, and while a video is playing elsewhere.
    public var isSuspended = false

    /// The row with the current video, playing or paused; nil if there is no video.
    public private(set) var current: ID?
    /// Where the current video is shown.
    public private(set) var place = Place.row
    /// Whether the current video is held: the user opened it, or has watched it for a while.
    public private(set) var isHeld = false
    /// The row that will play once the list is at rest; nil if there is no such row.
    public private(set) var marked: ID?
    /// Whether no video starts by itself until the list is scrolled.
    private var waitsForScroll = false
    private var restsFrom: HostTime?
    /// Whether the current row was started by `Action.next` and is still scrolling into view. If so, its video does not
    /// leave the row.
    private var awaitsRow = false

    public init() {}

    /// When `update` must be called next to start the marked row's video. Nil if no row is marked or `isSuspended` is
    /// true.
    public var nextWake: HostTime? { isSuspended || marked == nil ? nil : restsFrom }

    // MARK: - Visible rows

    /// Decides whether a video starts, stops or moves, given the visible rows. Returns the action to carry out; nil if
    /// there is none.
    ///
    /// - Parameters:
    ///   - rows: The visible rows, from top to bottom. Rows that are out of view may be included.
    ///   - isScrolling: Whether the user is dragging the list, or the list is moving by itself.
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

    /// Decides whether the current video leaves its row or returns to it. `fraction` is the visible fraction of the
    /// row. `least` is the smallest fraction at which the row shows its video.
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

    /// The row that should play once the list is at rest. Nil if the current video takes precedence, or if no row can
    /// start by itself.
    private func candidate(in rows: [Row], least: Double) -> ID? {
        guard !waitsForScroll, current == nil || place == .corner && !isHeld else { return nil }
        var best: Row?
        for row in rows where row.canPlay && row.fraction > 0 && row.fraction >= least && row.id != current {
            if row.fraction > best?.fraction ?? 0 { best = row }
        }
        return best?.id
    }

    private func fraction(of id: ID, in rows: [Row]) -> Double { rows.first { $0.id == id }?.fraction ?? 0 }

    // MARK: - Playback events

    /// Records that the user opened a row's video, or that a video was already playing when the list appeared.
    ///
    /// - Parameters:
    ///   - isHeld: Whether the video is held. A video that is already held stays held.
    ///   - staysInCorner: Whether the video starts in the corner if the previous video was in the corner.
    public mutating func open(_ id: ID, isHeld: Bool = true, staysInCorner: Bool = false) {
        guard current != id else {
            self.isHeld = self.isHeld || isHeld
            return
        }
        let wasInCorner = place == .corner
        begin(id, isHeld: isHeld)
        if staysInCorner, wasInCorner { place = .corner }
    }

    /// Holds the current video. Call this when the video has been watched for a while, or opened from the corner.
    public mutating func hold() { if current != nil { isHeld = true } }

    /// Records that the user stopped the video, or that something else is playing instead. Nothing starts by itself
    /// until the list is scrolled.
    public mutating func wasStopped() {
        end()
        waitsForScroll = true
    }

    /// Records that the current video has reached its end. Returns the action to carry out; nil if there is none.
    ///
    /// - Parameter next: The next row that can play; nil if there is none.
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

    /// Records that the current video cannot be played. The owner must no longer pass its row to `update` as playable.
    public mutating func failed() { end() }

    /// Records that rows may have been removed from the list. Returns the action to carry out; nil if there is none.
    ///
    /// - Parameter isThere: Returns whether a row still exists.
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
