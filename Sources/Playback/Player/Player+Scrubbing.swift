import Audio
import Platform
public import Time

// Scrubbing: the position follows the thumb of the progress bar, and frames follow as fast as they can.
//
// A thumb that moves fast, or backwards, gets the nearest keyframe, one at a time: a move that arrives while a frame is
// being decoded replaces the pending order. If no keyframe is nearer than the current frame, nothing is decoded. A
// thumb that moves forward slowly gets the frames in between as well, since the decoder just continues from the
// keyframe. When the thumb rests, the exact frame is decoded.

extension Player {
    /// The state of a scrub.
    struct Scrub {
        enum Order: Hashable { case none, preview, exact, follow }

        /// From the start of the media, like the other positions.
        let origin: Duration
        /// The state before the scrub.
        let phase: Phase
        var target: Duration
        /// When the target last changed.
        var movedAt: HostTime
        /// Whether the thumb has moved; only then was anything decoded.
        var hasMoved = false
        /// The last order, its target, and since when its frame is awaited.
        var order = Order.none
        var ordered: Duration?
        var since: HostTime?
        /// Whether the audio output holds audio for another speed or track.
        var audioIsStale = false
    }

    /// The thumb rests if it has not moved for this long.
    static let scrubRest = Duration.milliseconds(80)
    /// How far ahead of the current frame the thumb may be for the decoder to follow it frame by frame.
    static let followReach = Duration.seconds(1)
    /// How far behind the position of an exact seek in progress the thumb may be.
    static let followSlack = Duration.milliseconds(400)
    /// After this long, a pending frame is given up for a newer one; any keyframe is decoded by then.
    static let previewTimeout = Duration.milliseconds(500)

    /// Whether a scrub is in progress: audio is silent, the clock stands still, and `position` is the thumb's.
    public var isScrubbing: Bool { scrub != nil }

    /// Begins a scrub. Meanwhile, `isPaused` and `state` are those that will apply after its end, and `play`, `pause`
    /// and `togglePause` change them. A seek or a frame step ends it.
    ///
    /// - Returns: False if the media is not open or cannot seek. True if a scrub is already in progress, which
    /// continues.
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

    /// Moves the scrub to `position`, counted from the start of the media and clamped to it.
    ///
    /// - Returns: False if no scrub is in progress.
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

    /// Ends the scrub at `position`, or at its last position: seeks exactly there and resumes, or stays paused.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func endScrub(to position: Duration? = nil, now: HostTime) -> Bool {
        guard let scrub else { return false }
        let target = position.map(clamped) ?? scrub.target
        if !scrub.hasMoved, target == scrub.origin, !scrub.audioIsStale {
            resume(scrub, now)
        } else if scrub.order == .exact, scrub.ordered == target, !scrub.audioIsStale {
            // The frame is already there, or on its way.
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

    /// Cancels the scrub and returns to where it began.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func cancelScrub(now: HostTime) -> Bool {
        guard let scrub else { return false }
        return endScrub(to: scrub.origin, now: now)
    }

    private func clamped(_ position: Duration) -> Duration {
        max(.zero, min(position, info?.duration ?? position))
    }

    /// Continues as before, since nothing was decoded.
    private func resume(_ scrub: Scrub, _ now: HostTime) {
        self.scrub = nil
        switch scrub.phase {
        case .running, .startingAudio, .buffering, .paused:
            phase = .paused
            if !wantsPause { play(now: now) }
        // A seek that was in progress or pending continues.
        case .preroll, .ended, .opening, .failed, .scrubbing: phase = scrub.phase
        }
    }

    // MARK: - The frame loop's side

    /// When the thumb will have rested long enough, or when the pending frame is given up.
    var scrubWake: HostTime? {
        guard let scrub, seesScrub else { return nil }
        if let since = scrub.since {
            return scrub.ordered == scrub.target ? since + Self.pictureTimeout : since + Self.previewTimeout
        }
        return scrub.hasMoved && scrub.order != .exact && !isCaughtUp ? scrub.movedAt + Self.scrubRest : nil
    }

    /// Whether there is video that can follow the thumb.
    private var seesScrub: Bool { hasVideo && info?.isStill == false }

    func advanceScrub(_ now: HostTime) {
        guard let scrub, scrub.hasMoved, seesScrub else { return }
        if let since = scrub.since {
            let head = pipeline.frames.head()
            let timeout = scrub.ordered == scrub.target ? Self.pictureTimeout : Self.previewTimeout
            let hasArrived = lastShown != nil || head.hasEnded && head.first == nil || now - since >= timeout
            // An exact frame takes a while, which is wasted once the thumb has moved on.
            guard hasArrived || scrub.order == .exact && !isNear(scrub) else { return }
            self.scrub?.since = nil
        }
        if scrub.ordered != scrub.target {
            move(scrub, now)
        } else if scrub.order != .exact, !isCaughtUp, now - scrub.movedAt >= Self.scrubRest {
            order(.exact, now)
        }
    }

    /// Whether an exact frame being decoded is still close to the thumb.
    private func isNear(_ scrub: Scrub) -> Bool {
        guard let ordered = scrub.ordered else { return false }
        return scrub.target - ordered <= Self.followReach && ordered - scrub.target <= Self.followSlack
    }

    /// Handles a thumb that has moved while nothing is pending.
    private func move(_ scrub: Scrub, _ now: HostTime) {
        guard let info, let onShow else { return order(.preview, now) }
        let ahead = info.startTime + scrub.target - wrapped(onShow)
        guard ahead >= .zero, ahead <= Self.followReach else { return order(.preview, now) }
        switch scrub.order {
        case .exact where lastShown != nil, .follow where lastShown != nil:
            self.scrub?.order = .follow
            self.scrub?.ordered = scrub.target
            clock.set(info.startTime + scrub.target, at: now)
        // The thumb has passed the current keyframe and has not reached the next.
        case .preview, .exact, .follow: order(.exact, now)
        case .none: order(.preview, now)
        }
    }

    /// Whether the decoder has followed the thumb to its exact frame.
    private var isCaughtUp: Bool {
        guard let target = followTarget, lastShown != nil else { return false }
        return pipeline.frames.head().first.map { $0 > target } ?? false
    }

    /// The thumb position that the decoder follows, in media time; nil if it does not.
    var followTarget: MediaTime? {
        guard let scrub, let info, scrub.order == .follow else { return nil }
        return info.startTime + scrub.target
    }

    /// Repeats the pending exact seek, which has failed.
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
            pipeline.scrubPreview(at: time, shown: onShow.map(wrapped), generation: generation)
        }
    }
}
