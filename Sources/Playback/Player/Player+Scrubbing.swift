import GlissadeAudio
import GlissadePlatform
public import GlissadeTime

// Scrubbing: the user drags the thumb of the progress bar. The position follows the thumb, and frames follow as fast
// as they can be decoded.
//
// When the thumb moves fast or backwards, only the nearest keyframe is decoded, one request at a time: moves that
// arrive while a frame is being decoded wait, and only the last one counts. Nothing is decoded if no keyframe is nearer
// than the current frame. When the thumb moves forward slowly, the frames in between are shown as well, since the
// decoder just continues from the keyframe. When the thumb rests, the exact frame is decoded.

extension Player {
    /// The state of a scrub: where it began, where the thumb is, and what the decoder was last asked for.
    struct Scrub {
        /// What the decoder was asked for: nothing yet, a keyframe, the exact frame, or every frame up to the thumb.
        enum Order: Hashable { case none, preview, exact, follow }

        /// The position when the scrub began. All positions count from the start of the media.
        let origin: Duration
        /// The player's phase before the scrub.
        let phase: Phase
        var target: Duration
        /// When the target last changed.
        var movedAt: HostTime
        /// Whether the thumb has moved. Nothing is decoded before that.
        var hasMoved = false
        /// The last request to the decoder.
        var order = Order.none
        /// The target of the last request; nil if there was no request.
        var ordered: Duration?
        /// When the pending request was made; nil if no request is pending.
        var since: HostTime?
        /// Whether the audio output still holds audio of a previous speed or track.
        var audioIsStale = false
    }

    /// How long the thumb must stand still to count as resting.
    static let scrubRest = Duration.milliseconds(80)
    /// The decoder follows the thumb frame by frame if the thumb is at most this far ahead of the current frame.
    static let followReach = Duration.seconds(1)
    /// An exact seek is abandoned if the thumb moves further back than this from the seek's target.
    static let followSlack = Duration.milliseconds(400)
    /// How long a request stays pending if the thumb has moved on and no frame arrives.
    static let previewTimeout = Duration.milliseconds(500)

    /// Whether a scrub is in progress. During a scrub, audio is silent, the clock is stopped, and `position` returns
    /// the thumb's position.
    public var isScrubbing: Bool { scrub != nil }

    /// Begins a scrub. A seek or a frame step ends the scrub.
    ///
    /// During a scrub, `isPaused` and `state` describe the state that will apply after the scrub. `play`, `pause` and
    /// `togglePause` change that state.
    ///
    /// - Returns: Whether a scrub is in progress now. False if the media is not open, has failed or cannot seek.
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

    /// Moves the thumb to `position`, counted from the start of the media and clamped to the media's duration.
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

    /// Ends the scrub at `position`, or at the thumb's position if that is nil, with an exact seek if needed. Playback
    /// then resumes unless it is paused.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func endScrub(to position: Duration? = nil, now: HostTime) -> Bool {
        guard let scrub else { return false }
        let target = position.map(clamped) ?? scrub.target
        if !scrub.hasMoved, target == scrub.origin, !scrub.audioIsStale {
            resume(scrub, now)
        } else if scrub.order == .exact, scrub.ordered == target, !scrub.audioIsStale {
            // That frame has been decoded, or is being decoded.
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

    /// Cancels the scrub, and returns to the position where it began.
    ///
    /// - Returns: False if no scrub is in progress.
    @discardableResult public func cancelScrub(now: HostTime) -> Bool {
        guard let scrub else { return false }
        return endScrub(to: scrub.origin, now: now)
    }

    private func clamped(_ position: Duration) -> Duration {
        max(.zero, min(position, info?.duration ?? position))
    }

    /// Ends a scrub in which nothing was decoded, and restores the phase before the scrub.
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

    /// When to call `advanceScrub` next: when the thumb counts as resting, or when a pending request times out. Nil if
    /// neither applies.
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
            // Decoding an exact frame takes a while, which is wasted once the thumb has moved on.
            guard hasArrived || scrub.order == .exact && !isNear(scrub) else { return }
            self.scrub?.since = nil
        }
        if scrub.ordered != scrub.target {
            move(scrub, now)
        } else if scrub.order != .exact, !isCaughtUp, now - scrub.movedAt >= Self.scrubRest {
            order(.exact, now)
        }
    }

    /// Whether the thumb is still close to the target of the last request. If not, the requested frame is not worth
    /// waiting for.
    private func isNear(_ scrub: Scrub) -> Bool {
        guard let ordered = scrub.ordered else { return false }
        return scrub.target - ordered <= Self.followReach && ordered - scrub.target <= Self.followSlack
    }

    /// Decides what to decode after the thumb has moved. Call only while no request is pending.
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

    /// Whether the decoder has followed the thumb up to the exact frame.
    private var isCaughtUp: Bool {
        guard let target = followTarget, lastShown != nil else { return false }
        return pipeline.frames.head().first.map { $0 > target } ?? false
    }

    /// The thumb's position in media time while the decoder follows it frame by frame; nil otherwise.
    var followTarget: MediaTime? {
        guard let scrub, let info, scrub.order == .follow else { return nil }
        return info.startTime + scrub.target
    }

    /// Requests the exact frame at the thumb after the decoder has skipped or lost the previously requested frame.
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
