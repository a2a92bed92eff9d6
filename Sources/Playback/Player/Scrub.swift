import GlissadeTime

/// A scrub: the user drags the thumb of the progress bar. The position follows the thumb, and frames follow as fast as
/// they can be decoded.
///
/// When the thumb moves fast or backwards, only the nearest keyframe is decoded, one request at a time: moves that
/// arrive while a frame is being decoded wait, and only the last one counts. Nothing is decoded if no keyframe is nearer
/// than the current frame. When the thumb moves forward slowly, the frames in between are shown as well, since the
/// decoder just continues from the keyframe. When the thumb rests, the exact frame is decoded.
///
/// Reads no clock: the time and what the decoder has delivered are passed in. All positions count from the start of the
/// media.
struct Scrub: Equatable {
    /// What the decoder is asked for: a keyframe, the exact frame, or every frame up to the thumb.
    enum Kind: Hashable { case preview, exact, follow }

    /// The last request to the decoder, with the position that the thumb had then.
    enum Request: Hashable {
        case none
        case pending(Kind, target: Duration, since: HostTime)
        /// The frame has come, or is no longer waited for.
        case over(Kind, target: Duration)
    }

    /// What is on screen and in the frame queue.
    struct Sight {
        /// The position of the frame on screen; nil if there is none.
        var onShow: Duration?
        /// Whether a frame of the last request is on screen.
        var hasShown: Bool
        /// Whether the request ends without another frame.
        var hasEnded: Bool
        /// The position of the next queued frame; nil if none is queued.
        var next: Duration?
    }

    /// What to do next.
    enum Step: Hashable {
        /// Nothing, until the thumb moves, a frame comes, or `wake` has come.
        case wait
        /// Request a frame at the thumb.
        case request(Kind)
        /// Let the decoder go on to the thumb.
        case goOn
    }

    /// How long the thumb must stand still to count as resting.
    static let rest = Duration.milliseconds(80)
    /// The decoder follows the thumb frame by frame if the thumb is at most this far ahead of the current frame.
    static let followReach = Duration.seconds(1)
    /// An exact seek is abandoned if the thumb moves further back than this from the seek's target.
    static let followSlack = Duration.milliseconds(400)
    /// How long a request stays pending if the thumb has moved on and no frame arrives.
    static let previewTimeout = Duration.milliseconds(500)
    /// How long a request stays pending otherwise.
    static let pictureTimeout = Duration.seconds(2)

    /// The position when the scrub began.
    let origin: Duration
    /// The player's phase before the scrub.
    private(set) var phase: Player.Phase
    private(set) var target: Duration
    /// When the thumb last moved; nil if it has not. Nothing is decoded before that.
    private var movedAt: HostTime?
    private(set) var request = Request.none
    /// Whether the audio output still holds audio of a previous speed or track.
    var audioIsStale = false

    init(from origin: Duration, in phase: Player.Phase) {
        self.origin = origin
        self.phase = phase
        target = origin
    }

    var hasMoved: Bool { movedAt != nil }

    /// When the pending request was made; nil if no request is pending.
    var since: HostTime? { if case .pending(_, _, let since) = request { since } else { nil } }

    /// The seek that was pending before the scrub; nil if there was none, or if a request has taken its place.
    var pendingSeek: Player.PendingSeek? { if case .preroll(let preroll) = phase { preroll.pending } else { nil } }

    /// Whether the decoder follows the thumb frame by frame.
    var follows: Bool { kind == .follow }

    private var kind: Kind? {
        switch request {
        case .none: nil
        case .pending(let kind, _, _), .over(let kind, _): kind
        }
    }

    private var requested: Duration? {
        switch request {
        case .none: nil
        case .pending(_, let target, _), .over(_, let target): target
        }
    }

    /// Whether the exact frame at `position` has been requested, and the audio at hand goes with it.
    func isExact(at position: Duration) -> Bool { kind == .exact && requested == position && !audioIsStale }

    /// Whether the scrub can end at `position` as if it had not begun.
    func isUntouched(at position: Duration) -> Bool { !hasMoved && position == origin && !audioIsStale }

    /// Moves the thumb.
    mutating func move(to position: Duration, now: HostTime) {
        guard position != target else { return }
        target = position
        movedAt = now
    }

    /// Notes that a frame at the thumb was requested. A seek that was pending before the scrub no longer counts.
    mutating func didRequest(_ kind: Kind, now: HostTime) {
        request = .pending(kind, target: target, since: now)
        audioIsStale = false
        if case .preroll(var preroll) = phase {
            preroll.pending = nil
            phase = .preroll(preroll)
        }
    }

    /// Decides what to do at `now`.
    mutating func advance(_ sight: Sight, now: HostTime) -> Step {
        guard let movedAt else { return .wait }
        if case .pending(let kind, let requested, let since) = request {
            let timeout = requested == target ? Self.pictureTimeout : Self.previewTimeout
            let hasArrived = sight.hasShown || sight.hasEnded || now - since >= timeout
            // Decoding an exact frame takes a while, which is wasted once the thumb has moved on.
            guard hasArrived || kind == .exact && !isNear(requested) else { return .wait }
            request = .over(kind, target: requested)
        }
        if requested != target { return follow(sight) }
        let isDone = kind == .exact || isCaughtUp(sight) || now - movedAt < Self.rest
        return isDone ? .wait : .request(.exact)
    }

    /// When to call `advance` next: when the thumb counts as resting, or when a pending request times out. Nil if
    /// neither applies.
    func wake(_ sight: Sight) -> HostTime? {
        if case .pending(_, let requested, let since) = request {
            return since + (requested == target ? Self.pictureTimeout : Self.previewTimeout)
        }
        guard let movedAt, kind != .exact, !isCaughtUp(sight) else { return nil }
        return movedAt + Self.rest
    }

    /// Whether the thumb is still close to the target of the last request. If not, the requested frame is not worth
    /// waiting for.
    private func isNear(_ requested: Duration) -> Bool {
        target - requested <= Self.followReach && requested - target <= Self.followSlack
    }

    /// Whether the decoder has followed the thumb up to the exact frame.
    private func isCaughtUp(_ sight: Sight) -> Bool {
        guard follows, sight.hasShown, let next = sight.next else { return false }
        return next > target
    }

    /// Decides what to decode after the thumb has moved. Call only while no request is pending.
    private mutating func follow(_ sight: Sight) -> Step {
        guard let onShow = sight.onShow else { return .request(.preview) }
        let ahead = target - onShow
        guard ahead >= .zero, ahead <= Self.followReach else { return .request(.preview) }
        switch kind {
        case nil: return .request(.preview)
        case .exact where sight.hasShown, .follow where sight.hasShown:
            request = .over(.follow, target: target)
            return .goOn
        // The thumb has passed the current keyframe and has not reached the next.
        case .preview, .exact, .follow: return .request(.exact)
        }
    }
}
