import Audio
public import Media
import Platform
public import Time

// Pause and play, seeks and frame steps.

extension Player {
    public func pause(now: HostTime) {
        wantsPause = true
        pipeline.video?.setLateness(.zero)
        pipeline.audio?.pause()
        switch phase {
        case .running, .startingAudio, .buffering:
            clock.stop(at: now)
            phase = .paused
        default: break
        }
    }

    public func play(now: HostTime) {
        wantsPause = false
        isStepPending = false
        if isLost { return retry(now: now) }
        if phase == .paused, let end = loopEnd, clock.time(at: now) >= end { return seekToLoopStart(now) }
        switch phase {
        case .paused where audioIsElsewhere && hasAudio && info?.isSeekable == true:
            seek(to: mediaTime(at: now), mode: .exact, now: now)
        case .paused: startClock(now: now, from: audioIsElsewhere ? clock.time(at: now) : nil)
        case .ended: seek(to: info?.startTime ?? .zero, mode: .exact, now: now)
        default: break
        }
    }

    public func togglePause(now: HostTime) {
        if wantsPause || isLost || phase == .ended { play(now: now) } else { pause(now: now) }
    }

    /// Goes to `position`, counted from the media's beginning; beyond its ends is at its ends.
    public func seek(to position: Duration, mode: SeekMode = .exact, now: HostTime) {
        guard let info else {
            if phase == .opening { startAfterOpening = position }
            return
        }
        let target = max(.zero, min(position, info.duration ?? position))
        seek(to: info.startTime + target, mode: mode, now: now)
    }

    /// Goes on or back by `step` from where it is, or from where it is going.
    public func seek(by step: Duration, isExact: Bool = false, now: HostTime) {
        let from = position(at: now)
        let base = info?.startTime ?? .zero
        seek(to: from + step, mode: isExact ? .exact : .step(from: base + from), now: now)
    }

    /// A key that is held asks faster than some films are decoded: what is left of it when it is let go is soon over.
    private static let mostSteps = 4

    /// Shows the next frame, or the one before, and pauses.
    public func stepFrame(forward: Bool, now: HostTime) {
        pause(now: now)
        guard hasVideo else { return }
        if let scrub {
            // From the frame that is sought, which need not be the one on show.
            let frame = Duration.seconds(1 / max(1, info?.frameRate ?? 25))
            seek(to: forward ? scrub.target : scrub.target - frame, now: now)
            isStepPending = forward
            return
        }
        if forward {
            // Taken when the frame before it is on show, should a seek be under way. After the last there is none.
            pendingSteps = hasNextFrame ? min(pendingSteps + 1, Self.mostSteps) : 0
        } else if let shown = lastShown {
            seek(to: inFirstRound(shown) - .nanoseconds(1), mode: .exact, now: now)
        }
    }

    /// Decodes the frame on show once more where it is paused, for a new picture request; a media that plays brings
    /// frames of the new form by itself, and one that has ended keeps what it has.
    ///
    /// - Returns: whether the frame will come; false where it did nothing, and may be asked again later: while a seek or
    ///   a frame step is under way.
    @discardableResult public func refresh(now: HostTime) -> Bool {
        guard hasVideo, let shown = lastShown, phase == .paused, !isStepPending, info?.isSeekable == true else {
            return false
        }
        seek(to: inFirstRound(shown), mode: .exact, now: now)
        return true
    }

    /// Decodes the frame on show once more for a renderer that never had it, where no other follows by itself: it is
    /// paused, or the last, or a cover. The sound of a cover stops for a moment.
    ///
    /// - Returns: as `refresh`.
    public func restoreFrame(now: HostTime) -> Bool {
        if refresh(now: now) { return true }
        guard hasVideo, let shown = lastShown, let info, info.isSeekable else { return false }
        switch phase {
        case .running where info.isStill: seek(to: mediaTime(at: now), mode: .exact, now: now)
        case .ended: seek(to: inFirstRound(shown), mode: .exact, now: now)
        default: return false
        }
        return true
    }

    package func seek(to target: MediaTime, mode: SeekMode, now: HostTime) {
        guard let info, info.isSeekable else { return }
        let target = max(target, info.startTime)
        // Sound alone can begin anywhere.
        let mode = hasVideo && !info.isStill ? mode : .exact
        isStepPending = false
        if case .preroll(let since, _) = phase, lastShown == nil, now - since < Self.seekPatience {
            pendingSeek = (target, mode)
            return
        }
        pendingSeek = nil
        scrub = nil
        armABLoop(for: target)
        beginGeneration()
        // What was late is behind; the frame that is sought must not be skipped for it.
        pipeline.video?.setLateness(.zero)
        clock.stop(at: now)
        clock.set(target, at: now)
        clock.setSpeed(speed, at: now)
        pipeline.seek(to: target, mode: mode, generation: generation)
        audioIsElsewhere = false
        starvedSince = nil
        audioAwaitedSince = nil
        lastShown = nil
        phase = .preroll(since: now, target: target)
    }

    /// Picture and sound begin anew together.
    func beginGeneration() {
        generation = nextGeneration
        audioGeneration = generation
    }

    var nextGeneration: Int { max(generation, audioGeneration) + 1 }
}
