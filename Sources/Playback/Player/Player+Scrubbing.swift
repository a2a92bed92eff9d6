import Audio
import Platform
public import Time

// A hand on the progress bar: the position is where the hand is, and the picture follows as fast as it can.
//
// A hand that moves fast, or back, has the keyframe nearest to it, one at a time: a move that comes while a picture is on
// its way replaces the one that was asked for before and has not begun. Where the picture on show is as near as any
// keyframe, nothing is decoded. One that goes on slowly has the frames between as well: from the keyframe that it has
// passed the decoder just goes on after it. When the hand rests, the exact frame is sought.

extension Player {
    /// What is known of a scrub that is on.
    struct Scrub {
        enum Order: Hashable { case none, glance, exact, follow }

        /// From the media's beginning, as are the others.
        let origin: Duration
        /// What went on before.
        let phase: Phase
        var target: Duration
        /// When the target last changed.
        var movedAt: HostTime
        /// Whether the hand has moved at all: only then anything was sought.
        var hasMoved = false
        /// The last order and its target; `since` until its picture is there.
        var order = Order.none
        var ordered: Duration?
        var since: HostTime?
        /// What the sound output holds was made for another speed or track.
        var audioIsStale = false
    }

    /// A hand that has not moved for so long rests.
    static let scrubRest = Duration.milliseconds(80)
    /// So far ahead of the picture on show the hand may be for the decoder to go after it, frame by frame.
    static let followReach = Duration.seconds(1)
    /// So far behind where an exact frame was sought the hand may be by then.
    static let followSlack = Duration.milliseconds(400)
    /// A picture on its way is given up for a newer one after this: any keyframe is there by then.
    static let glancePatience = Duration.milliseconds(500)

    /// Whether a scrub is on: the sound is silent, the clock stands, and `position` is where the scrub is.
    public var isScrubbing: Bool { scrub != nil }

    /// Takes hold of the position. While it is held, `isPaused` and `state` go on telling what will be when it is let go;
    /// `play`, `pause` and `togglePause` change that. A seek, or a frame step, ends the scrub where it leads to.
    ///
    /// - Returns: false where there is nothing to hold: the media is not open, or cannot seek. True also when a scrub is on
    ///   already, which goes on.
    @discardableResult public func beginScrub(now: HostTime) -> Bool {
        guard scrub == nil else { return true }
        guard let info, info.isSeekable, phase != .opening else { return false }
        if case .failed = phase { return false }
        let position = position(at: now)
        scrub = Scrub(origin: position, phase: phase, target: position, movedAt: now)
        pipeline.video?.setLateness(.zero)
        pipeline.audio?.pause()
        clock.stop(at: now)
        isStepPending = false
        starvedSince = nil
        phase = .scrubbing
        return true
    }

    /// Follows the hand to `position`, from the media's beginning; beyond the ends is at the ends.
    ///
    /// - Returns: false where no scrub is on.
    @discardableResult public func scrub(to position: Duration, now: HostTime) -> Bool {
        guard scrub != nil else { return false }
        let position = clamped(position)
        if scrub?.target != position {
            scrub?.target = position
            scrub?.movedAt = now
            scrub?.hasMoved = true
        }
        advanceScrub(now)
        return true
    }

    /// Lets go at `position`, or where the hand was last: goes exactly there, and plays on or stays paused.
    ///
    /// - Returns: false where no scrub is on.
    @discardableResult public func endScrub(to position: Duration? = nil, now: HostTime) -> Bool {
        guard let scrub else { return false }
        let target = position.map(clamped) ?? scrub.target
        if !scrub.hasMoved, target == scrub.origin, !scrub.audioIsStale {
            resume(scrub, now)
        } else if scrub.order == .exact, scrub.ordered == target, !scrub.audioIsStale {
            // The frame is there already, or on its way.
            let time = (info?.startTime ?? .zero) + target
            self.scrub = nil
            armABLoop(for: time)
            phase = .preroll(since: scrub.since ?? now, target: time)
        } else {
            seek(to: target, mode: .exact, now: now)
        }
        advance(to: now)
        return true
    }

    /// Lets go and goes back to where the scrub began.
    ///
    /// - Returns: false where no scrub is on.
    @discardableResult public func cancelScrub(now: HostTime) -> Bool {
        guard let scrub else { return false }
        return endScrub(to: scrub.origin, now: now)
    }

    private func clamped(_ position: Duration) -> Duration {
        max(.zero, min(position, info?.duration ?? position))
    }

    /// Goes on as if nothing had been: nothing was sought.
    private func resume(_ scrub: Scrub, _ now: HostTime) {
        self.scrub = nil
        switch scrub.phase {
        case .running, .startingAudio, .buffering, .paused:
            phase = .paused
            if !wantsPause { play(now: now) }
        // A seek that was under way, or waits its turn, goes on.
        case .preroll, .ended, .opening, .failed, .scrubbing: phase = scrub.phase
        }
    }

    // MARK: - The frame loop's side

    /// When the hand will have rested, or the picture under way is given up.
    var scrubWake: HostTime? {
        guard let scrub, seesScrub else { return nil }
        if let since = scrub.since {
            return scrub.ordered == scrub.target ? since + Self.picturePatience : since + Self.glancePatience
        }
        return scrub.hasMoved && scrub.order != .exact && !isCaughtUp ? scrub.movedAt + Self.scrubRest : nil
    }

    /// Whether there is a picture that can follow.
    private var seesScrub: Bool { hasVideo && info?.isStill == false }

    func advanceScrub(_ now: HostTime) {
        guard let scrub, scrub.hasMoved, seesScrub else { return }
        if let since = scrub.since {
            let glance = pipeline.frames.glance()
            let patience = scrub.ordered == scrub.target ? Self.picturePatience : Self.glancePatience
            let hasArrived = lastShown != nil || glance.hasEnded && glance.first == nil || now - since >= patience
            // An exact frame takes its time, which is lost once the hand is elsewhere.
            guard hasArrived || scrub.order == .exact && !isNear(scrub) else { return }
            self.scrub?.since = nil
        }
        if scrub.ordered != scrub.target {
            move(scrub, now)
        } else if scrub.order != .exact, !isCaughtUp, now - scrub.movedAt >= Self.scrubRest {
            order(.exact, now)
        }
    }

    /// Whether an exact frame that is sought is still about where the hand is.
    private func isNear(_ scrub: Scrub) -> Bool {
        guard let ordered = scrub.ordered else { return false }
        return scrub.target - ordered <= Self.followReach && ordered - scrub.target <= Self.followSlack
    }

    /// The hand is elsewhere, and nothing is on its way.
    private func move(_ scrub: Scrub, _ now: HostTime) {
        guard let info, let onShow else { return order(.glance, now) }
        let ahead = info.startTime + scrub.target - inFirstRound(onShow)
        guard ahead >= .zero, ahead <= Self.followReach else { return order(.glance, now) }
        switch scrub.order {
        case .exact where lastShown != nil, .follow where lastShown != nil:
            self.scrub?.order = .follow
            self.scrub?.ordered = scrub.target
            clock.set(info.startTime + scrub.target, at: now)
        // It has passed the keyframe on show, and is not at the next yet.
        case .glance, .exact, .follow: order(.exact, now)
        case .none: order(.glance, now)
        }
    }

    /// Whether the decoder has gone after the hand to the very frame where that is.
    private var isCaughtUp: Bool {
        guard let target = followTarget, lastShown != nil else { return false }
        return pipeline.frames.glance().first.map { $0 > target } ?? false
    }

    /// Where the hand is that the decoder goes after, on the media's own time line; nil where it does not.
    var followTarget: MediaTime? {
        guard let scrub, let info, scrub.order == .follow else { return nil }
        return info.startTime + scrub.target
    }

    /// The exact seek that is under way has come to nothing.
    func repeatOrder(_ now: HostTime) { order(.exact, now) }

    private func order(_ order: Scrub.Order, _ now: HostTime) {
        guard let target = scrub?.target, let info else { return }
        scrub?.order = order
        scrub?.ordered = target
        scrub?.since = now
        scrub?.audioIsStale = false
        beginGeneration()
        pendingSeek = nil
        lastShown = nil
        let time = info.startTime + target
        clock.set(time, at: now)
        audioIsElsewhere = false
        if order == .exact {
            pipeline.seek(to: time, mode: .exact, generation: generation)
        } else {
            pipeline.glance(at: time, shown: onShow.map(inFirstRound), generation: generation)
        }
    }
}
