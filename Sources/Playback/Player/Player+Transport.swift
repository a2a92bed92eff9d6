import GlissadeAudio
public import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

// Pausing, seeking and frame steps.

extension Player {
    /// Pauses at the current frame. If the media is still opening, playback will start paused.
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

    /// Resumes playback. After the end of the media, starts over. After a lost connection, reconnects. At the end of an
    /// A–B loop, returns to the loop's start.
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

    /// Calls `play` if playback is paused, has ended or has lost its connection; otherwise, calls `pause`.
    public func togglePause(now: HostTime) {
        if wantsPause || isLost || phase == .ended { play(now: now) } else { pause(now: now) }
    }

    /// Seeks to `position`, counted from the start of the media and clamped to the media's duration. While the media is
    /// opening, sets the position to start from.
    public func seek(to position: Duration, mode: SeekMode = .exact, now: HostTime) {
        guard let info else {
            if phase == .opening { startAfterOpening = position }
            return
        }
        let target = max(.zero, min(position, info.duration ?? position))
        seek(to: info.startTime + target, mode: mode, now: now)
    }

    /// Seeks by `step`, relative to the current position or the target of a pending seek.
    ///
    /// - Parameter isExact: Whether to seek to the exact position rather than to a keyframe near it.
    public func seek(by step: Duration, isExact: Bool = false, now: HostTime) {
        let from = position(at: now)
        let base = info?.startTime ?? .zero
        seek(to: from + step, mode: isExact ? .exact : .step(from: base + from), now: now)
    }

    /// The most frame steps that may be pending. The limit makes stepping stop soon after a held key is released, even
    /// if decoding is slower than the key's repeat rate.
    private static let mostSteps = 4

    /// Pauses, and shows the next frame if `forward` is true, or else the previous frame.
    public func stepFrame(forward: Bool, now: HostTime) {
        pause(now: now)
        guard hasVideo else { return }
        if let scrub {
            // Steps from the frame being sought, which may not be the one on screen.
            let frame = Duration.seconds(1 / max(1, info?.frameRate ?? 25))
            seek(to: forward ? scrub.target : scrub.target - frame, now: now)
            isStepPending = forward
            return
        }
        if forward {
            // If a seek is in progress, the step is applied once the sought frame is on screen. After the last frame,
            // steps are ignored.
            pendingSteps = hasNextFrame ? min(pendingSteps + 1, Self.mostSteps) : 0
        } else if let shown = lastShown {
            seek(to: wrapped(shown) - .nanoseconds(1), mode: .exact, now: now)
        }
    }

    /// While paused, decodes the current frame again in the current format. Otherwise, does nothing.
    ///
    /// - Returns: Whether the frame will be decoded. If a seek or frame step prevents this, try again later.
    @discardableResult public func refresh(now: HostTime) -> Bool {
        guard hasVideo, let shown = lastShown, phase == .paused, !isStepPending, info?.isSeekable == true else {
            return false
        }
        seek(to: wrapped(shown), mode: .exact, now: now)
        return true
    }

    /// Decodes the current frame again for a new renderer, unless another frame follows soon. Applies while paused,
    /// after the end, and to a cover image. The audio played with a cover image stops briefly.
    ///
    /// - Returns: Whether the frame will be decoded. If a seek or frame step prevents this, try again later.
    public func restoreFrame(now: HostTime) -> Bool {
        if refresh(now: now) { return true }
        guard hasVideo, let shown = lastShown, let info, info.isSeekable else { return false }
        switch phase {
        case .running where info.isStill: seek(to: mediaTime(at: now), mode: .exact, now: now)
        case .ended: seek(to: wrapped(shown), mode: .exact, now: now)
        default: return false
        }
        return true
    }

    package func seek(to target: MediaTime, mode: SeekMode, now: HostTime) {
        guard let info, info.isSeekable else { return }
        let target = max(target, info.startTime)
        // Audio without video can start anywhere, so it needs no keyframe.
        let mode = hasVideo && !info.isStill ? mode : .exact
        isStepPending = false
        if case .preroll(let since, _) = phase, lastShown == nil, now - since < Self.seekTimeout {
            pendingSeek = (target, mode)
            return
        }
        pendingSeek = nil
        scrub = nil
        armABLoop(for: target)
        beginGeneration()
        // Earlier lateness no longer counts; it must not cause the frame being sought to be skipped.
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

    /// Begins a new generation of both video and audio.
    func beginGeneration() {
        generation = nextGeneration
        audioGeneration = generation
    }

    var nextGeneration: Int { max(generation, audioGeneration) + 1 }
}
