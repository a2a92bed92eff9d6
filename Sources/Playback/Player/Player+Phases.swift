import Audio
import Platform
public import Time

// The player's phases, and when it must be called.

extension Player {
    /// Processes the results of the threads, and the passing of time.
    public func advance(to now: HostTime) {
        if pipeline.video?.hasMissed(generation) == true { seekAgain(now) }
        if pipeline.video?.hasLost(generation) == true { seekLost(now) }
        switch phase {
        case .opening: finishOpening(now)
        case .preroll(let since, let target): advancePreroll(now, since: since, target: target)
        case .startingAudio(let since): advanceStart(now, since: since)
        case .running: advanceRunning(now)
        case .buffering: advanceBuffering(now)
        case .scrubbing: advanceScrub(now)
        case .paused: dropStepPastEnd()
        case .failed, .ended: break
        }
        feedFrames()
    }

    /// When `advance` must be called again if nothing happens; nil if only other events can change anything.
    public func nextWake(now: HostTime) -> HostTime? {
        switch phase {
        case .opening, .failed, .ended, .paused: return nil
        case .preroll(let since, _):
            if pendingSeek != nil { return since + Self.seekTimeout }
            // If there is no audio left to read, no thread reports it.
            if lastShown != nil || !hasVideo { return max(since + Self.audioTimeout, now + .milliseconds(50)) }
            // If everything is full and no frame has come, no thread reports it.
            return max(since + Self.pictureTimeout, now + .milliseconds(100))
        // Polls a few times until the server reports the audible position.
        case .startingAudio: return now + .milliseconds(4)
        case .buffering: return now + .milliseconds(50)
        case .scrubbing: return scrubWake
        case .running:
            return [loopEnd.flatMap { clock.hostTime(of: $0) }, runningWake(now)].lazy.compactMap { $0 }.min()
        }
    }

    private func runningWake(_ now: HostTime) -> HostTime? {
        let head = pipeline.frames.head()
        if isUntimed {
            if head.hasEnded && head.first == nil { return now }
            return isAddress && head.first == nil ? now + .milliseconds(100) : nil
        }
        if head.first != nil { return nil }
        if starvedSince != nil || hasVideo && !head.hasEnded {
            return starvedSince.map { $0 + Self.starvationTimeout }
                ?? (isAddress ? now + .milliseconds(100) : nil)
        }
        guard let end = end(head).flatMap({ clock.hostTime(of: $0) }) else {
            return hasAudio ? now + .milliseconds(100) : nil
        }
        // Past the end, no thread reports when the last audio was heard.
        return end > now ? end : now + .milliseconds(10)
    }

    // MARK: - Phases

    private func finishOpening(_ now: HostTime) {
        switch pipeline.outcome {
        case nil: return
        case .failure(let error): phase = .failed(error)
        case .success(let opened):
            info = opened.info
            hasVideo = opened.hasVideo
            hasAudio = opened.hasAudio && !isUntimed
            selectedAudioTrack = hasAudio ? opened.info.audioTrack : nil
            if let track = selectedSubtitleTrack, !opened.info.isSubtitle(track) { selectedSubtitleTrack = nil }
            clock.set(opened.info.startTime, at: now)
            phase = .preroll(since: now, target: nil)
            if let start = startAfterOpening, start > .zero {
                lastShown = opened.info.startTime  // No frame of the beginning is worth waiting for.
                seek(to: start, mode: .exact, now: now)
            }
            startAfterOpening = nil
            if let track = audioTrackAfterOpening { selectAudioTrack(track, now: now) }
            audioTrackAfterOpening = nil
            advance(to: now)
        }
    }

    /// Repeats an exact seek that has missed its frame, dropping everything in flight.
    private func seekAgain(_ now: HostTime) {
        switch phase {
        case .preroll(_, let target?):
            lastShown = target  // The one under way has nothing to show.
            seek(to: pendingSeek?.target ?? target, mode: pendingSeek?.mode ?? .exact, now: now)
        case .scrubbing: repeatOrder(now)
        default: break
        }
    }

    /// Seeks to restore the position that the decoder has lost, restarting audio.
    private func seekLost(_ now: HostTime) {
        switch phase {
        case .opening, .failed, .ended: break
        case .preroll, .scrubbing: seekAgain(now)
        case .startingAudio, .running, .paused, .buffering: seek(to: mediaTime(at: now), mode: .exact, now: now)
        }
    }

    private func advancePreroll(_ now: HostTime, since: HostTime, target: MediaTime?) {
        let head = pipeline.frames.head()
        if head.first == nil, isLost(now, since: since) { return }
        let isStuck = now - since >= Self.pictureTimeout && pipeline.packets.isAtLimit
        let hasPicture = !hasVideo || lastShown != nil || head.hasEnded && head.first == nil || isStuck
        if let pending = pendingSeek, hasPicture || now - since >= Self.seekTimeout {
            pendingSeek = nil
            lastShown = lastShown ?? pending.target
            return seek(to: pending.target, mode: pending.mode, now: now)
        }
        guard hasPicture else { return }
        let awaited = audioAwaitedSince ?? now
        audioAwaitedSince = awaited
        dropRefusedAudio(now)
        guard case .preroll = phase else { return }
        let audioIsReady = !hasAudio || pipeline.audioDecoder?.isReady(audioGeneration) != false
        let isWithoutAudio = now - since >= Self.audioTimeout && pipeline.packets.isAtLimit
        guard audioIsReady || isWithoutAudio || now - since >= Self.startTimeout || wantsPause else { return }

        // An exact seek continues from its target, any other from the frame that it found.
        var from = target ?? info?.startTime ?? .zero
        if let lastShown, !pipeline.packets.startsExactly { from = lastShown }
        if target == nil, let start = info?.startTime { from = max(from, start) }
        clock.set(from, at: now)
        audioAwaitedSince = nil
        if wantsPause {
            audioIsElsewhere = true
            phase = .paused
            // If the end has been reached, nothing else wakes the loop.
            dropStepPastEnd()
        } else {
            startClock(now: now, from: from, since: awaited)
        }
    }

    /// Starts the clock; if audio is coming, at the time when it will be heard.
    ///
    /// - Parameter since: When the video began to wait for audio; nil for now.
    func startClock(now: HostTime, from: MediaTime?, since: HostTime? = nil) {
        guard hasAudio, let audio = pipeline.audio, !audio.hasEnded(at: now) else {
            clock.run(at: now)
            phase = .running
            return
        }
        if let from {
            if pipeline.audioDecoder?.isReady(audioGeneration) == false {
                // Audio is far away: video leads, and audio joins in its place.
                audio.follow(from, at: now, speed: pace, generation: audioGeneration)
            } else {
                audio.start(from: from, speed: pace, generation: audioGeneration)
            }
        }
        audio.resume()
        phase = .startingAudio(since: since ?? now)
        advance(to: now)
    }

    /// The clock starts when audio is this close; until then, reports can still change its start.
    private static let startMargin = Duration.milliseconds(12)

    private func advanceStart(_ now: HostTime, since: HostTime) {
        guard let audio = pipeline.audio, !audio.hasEnded(at: now) else {
            clock.run(at: now)
            phase = .running
            return
        }
        let onset = audio.onset.flatMap { $0.generation == audioGeneration ? $0 : nil }
        let deadline = since + (audioIsLate ? Self.lateAudioTimeout : Self.startTimeout)
        // When audio reaches the frame on screen.
        let start = onset.map { $0.host + (clock.time(at: now) - $0.mediaTime) / $0.speed }
        if let start, start <= min(now + Self.startMargin, deadline) {
            if start < now, let heard = audio.position(at: now), heard.generation == audioGeneration,
                heard.mediaTime > clock.time(at: now)
            {
                clock.set(heard.mediaTime, at: now)
            }
            clock.run(at: now, from: start)
            phase = .running
            return
        }
        // The audio would come too late, or has been unknown for too long.
        guard now >= deadline || start.map({ $0 > deadline }) == true else { return }
        audioIsLate = true
        audio.follow(clock.time(at: now), at: now, speed: pace, generation: audioGeneration)
        clock.run(at: now)
        phase = .running
    }

    private func advanceRunning(_ now: HostTime) {
        if isUntimed {
            let head = pipeline.frames.head()
            if head.first == nil, isLost(now, since: HostTime(nanoseconds: 0)) { return }
            if head.hasEnded && head.first == nil || !hasVideo { finish(now) }
            return
        }
        followDisplay(now)
        followAudio(now)
        guard phase == .running else { return }
        if turnBack(now) { return }
        let head = pipeline.frames.head()
        noteStarvation(head, now)
        if let end = end(head), head.first == nil, clock.time(at: now) >= end, audioHasEnded(end, now) {
            clock.set(end, at: now)
            finish(now)
        }
    }

    /// Whether audio has been heard to its end. It may end after the video: the clock does not wait for a server that
    /// starts slowly and catches up with it gradually.
    private func audioHasEnded(_ end: MediaTime, _ now: HostTime) -> Bool {
        guard hasAudio, let audio = pipeline.audio else { return true }
        return audio.hasEnded(at: now) || clock.time(at: now) - end >= Self.tailTimeout * clock.speed
    }

    private func finish(_ now: HostTime) {
        if range?.isArmed == true { return seekToLoopStart(now) }
        if isLooping, !isUntimed, info?.isSeekable == true, info?.isStill == false {
            lastShown = lastShown ?? .zero
            return seek(to: info?.startTime ?? .zero, mode: .exact, now: now)
        }
        clock.stop(at: now)
        pipeline.audio?.pause()
        phase = .ended
    }

    /// The end of the media; nil until all tracks have ended.
    private func end(_ head: FrameQueue.Head) -> MediaTime? {
        var end = MediaTime(nanoseconds: .min)
        if hasVideo, info?.isStill != true || !hasAudio {
            guard head.hasEnded, let video = pipeline.video?.end else { return nil }
            end = max(end, video)
        }
        if hasAudio {
            guard let audio = pipeline.audioDecoder?.end(audioGeneration) else { return nil }
            end = max(end, audio)
        }
        return end.nanoseconds == .min ? nil : end
    }
}
