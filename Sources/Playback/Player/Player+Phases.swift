import GlissadeAudio
import GlissadePlatform
public import GlissadeTime

// The player's phases, and when the frame loop must call `advance`.

extension Player {
    /// Advances playback to `now`, and handles news from the background threads.
    public func advance(to now: HostTime) {
        if pipeline.video?.hasMissed(generation) == true { seekAgain(now) }
        if pipeline.video?.hasLost(generation) == true { seekLost(now) }
        advanceVariants(now)
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

    /// The time by which to call `advance` again, unless a background thread calls `wake` earlier; nil for no limit.
    public func nextWake(now: HostTime) -> HostTime? {
        switch phase {
        case .opening, .failed, .ended, .paused: return nil
        case .preroll(let since, _):
            if pendingSeek != nil { return since + Self.seekTimeout }
            // No thread reports that there is no audio left to read.
            if lastShown != nil || !hasVideo { return max(since + Self.audioTimeout, now + .milliseconds(50)) }
            // No thread reports that the packet buffer is full and no frame has come.
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
            return isStream && head.first == nil ? now + .milliseconds(100) : nil
        }
        if head.first != nil { return nil }
        if starvedSince != nil || hasVideo && !head.hasEnded {
            return starvedSince.map { $0 + Self.starvationTimeout }
                ?? (isStream ? now + .milliseconds(100) : nil)
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
            isStream = isStream || opened.info.isPlaylist
            variantState.lastOrder = now
            hasVideo = opened.hasVideo
            hasAudio = opened.hasAudio && !isUntimed
            selectedAudioTrack = hasAudio ? opened.info.audioTrack : nil
            if let track = selectedSubtitleTrack, !opened.info.isSubtitle(track) { selectedSubtitleTrack = nil }
            clock.set(opened.info.startTime, at: now)
            phase = .preroll(since: now, target: nil)
            if let start = startAfterOpening, start > .zero {
                lastShown = opened.info.startTime  // Do not wait for a frame from the beginning.
                seek(to: start, mode: .exact, now: now)
            }
            startAfterOpening = nil
            if let track = audioTrackAfterOpening { selectAudioTrack(track, now: now) }
            audioTrackAfterOpening = nil
            advance(to: now)
        }
    }

    /// Repeats an exact seek whose target frame the decoder has skipped or lost. If another seek is pending, performs
    /// the pending seek instead.
    private func seekAgain(_ now: HostTime) {
        switch phase {
        case .preroll(_, let target?):
            lastShown = target  // The failed seek has no frame to wait for.
            seek(to: pendingSeek?.target ?? target, mode: pendingSeek?.mode ?? .exact, now: now)
        case .scrubbing: repeatOrder(now)
        default: break
        }
    }

    /// Seeks to the current position, because the decoder has lost frames that only a seek can restore.
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
            // At the end of the media, nothing else wakes the frame loop.
            dropStepPastEnd()
        } else {
            startClock(now: now, from: from, since: awaited)
        }
    }

    /// Starts the clock: at once if there is no audio, otherwise when audio is heard.
    ///
    /// - Parameters:
    ///   - from: The media time at which to start audio; nil to resume paused audio.
    ///   - since: When the video began to wait for audio; nil for `now`.
    func startClock(now: HostTime, from: MediaTime?, since: HostTime? = nil) {
        guard hasAudio, let audio = pipeline.audio, !audio.hasEnded(at: now) else {
            clock.run(at: now)
            phase = .running
            return
        }
        if let from {
            if pipeline.audioDecoder?.isReady(audioGeneration) == false {
                // No audio is decoded yet: video starts alone, and audio joins it in sync.
                audio.follow(from, at: now, speed: pace, generation: audioGeneration)
            } else {
                audio.start(from: from, speed: pace, generation: audioGeneration)
            }
        }
        audio.resume()
        phase = .startingAudio(since: since ?? now)
        advance(to: now)
    }

    /// The clock's start time becomes final this long in advance. Before that, the server's reports can still change
    /// it.
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
        // Audio would be heard too late, or its start has been unknown for too long.
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

    /// Whether audio has been heard to its end, or `tailTimeout` has passed since `end`. Audio that started late ends
    /// after video.
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

    /// The media time at which playback ends; nil until every playing track has been decoded to its end.
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
