import Audio
import Platform
public import Time

// The player's interface to the frame loop, and its playback phases.

extension Player {
    /// Handles what the threads have done, and the passing of time.
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
    }

    /// When `advance` must be called again if nothing happens; nil if only other events can change anything.
    public func nextWake(now: HostTime) -> HostTime? {
        switch phase {
        case .opening, .failed, .ended, .paused: return nil
        case .preroll(let since, _):
            if pendingSeek != nil { return since + Self.seekPatience }
            // No thread reports that nothing is left to read if there is no audio in it.
            if lastShown != nil || !hasVideo { return max(since + Self.audioPatience, now + .milliseconds(50)) }
            // No thread reports that everything is full and no frame has come.
            return max(since + Self.picturePatience, now + .milliseconds(100))
        // Polls a few times until the server reports what is heard.
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
            return starvedSince.map { $0 + Self.starvationPatience }
                ?? (isAddress ? now + .milliseconds(100) : nil)
        }
        guard let end = end(head).flatMap({ clock.hostTime(of: $0) }) else {
            return hasAudio ? now + .milliseconds(100) : nil
        }
        // Past the end, no thread reports when the last audio has been heard.
        return end > now ? end : now + .milliseconds(10)
    }

    /// When the next frame is due; nil if none is queued or the clock stands.
    ///
    /// A frame that only waits to be taken is due immediately: the first after a seek, a frame step, or any frame
    /// without a clock.
    public var nextFrameDue: HostTime? {
        guard let first = pipeline.frames.head().first else { return nil }
        let since = HostTime(nanoseconds: 0)
        switch phase {
        case .scrubbing where followTarget.map { first <= $0 } ?? false: return since
        case .preroll, .scrubbing: return lastShown == nil ? since : nil
        case .paused: return isStepPending ? since : nil
        case .running where loopEnd.map { first >= $0 } ?? false: return nil
        case .running: return isUntimed ? since : clock.hostTime(of: first)
        default: return nil
        }
    }

    /// When a frame with `presentationTime` was due by the clock as it runs now.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        phase == .running && !isUntimed ? clock.hostTime(of: presentationTime) : nil
    }

    /// A frame is late if it comes this long after its time, and by its own duration.
    private static let lateness = Duration.milliseconds(10)

    /// Takes the newest frame that is due by `visible`, when the next draw will be seen; nil if the current frame
    /// stays. Older frames that are due as well are dropped and counted.
    public func takeFrame(visibleAt visible: HostTime) -> VideoFrame? {
        var head = pipeline.frames.head()
        guard let first = head.first else { return nil }
        switch phase {
        case .scrubbing where lastShown == nil: return take(countsAsDue: false)
        case .scrubbing:
            guard let target = followTarget, first <= target else { return nil }
            while let second = head.second, second <= target {
                _ = pipeline.frames.pop()
                head = pipeline.frames.head()
            }
            return take(countsAsDue: false)
        case .preroll where lastShown == nil: return take(countsAsDue: !wantsPause)
        case .paused where isStepPending:
            pendingSteps -= 1
            audioIsElsewhere = true
            clock.set(first, at: visible)
            return take(countsAsDue: false)
        case .running where isUntimed:
            clock.set(first, at: visible)
            return take(countsAsDue: true)
        case .running:
            let time = clock.time(at: visible)
            guard first <= time, loopEnd.map({ first < $0 }) ?? true else { return nil }
            pipeline.video?.setLateness(time - first)
            let isLate = time - first >= max(head.duration ?? .zero, Self.lateness)
            while let second = head.second, second <= time, loopEnd.map({ second < $0 }) ?? true {
                takenCounts.due += 1
                takenCounts.dropped += 1
                _ = pipeline.frames.pop()
                head = pipeline.frames.head()
            }
            return take(countsAsDue: true, isLate ? .ahead : .onceShown)
        default: return nil
        }
    }

    /// The last frame taken is on screen, or will not be: decoding may continue.
    ///
    /// Starting to decode when a frame is shown means that most of the work is done before the next is due, so that
    /// decoding does not compete with presentation for CPU. Without this call decoding continues when the next frame is
    /// taken, or at once if frames are late.
    public func didShowFrame() { pipeline.frames.didPresent() }

    /// Whether another frame is queued or may still come.
    var hasNextFrame: Bool {
        let head = pipeline.frames.head()
        return head.first != nil || !head.hasEnded
    }

    /// A frame step requested on the last frame does nothing.
    private func dropStepPastEnd() {
        if isStepPending { isStepPending = hasNextFrame }
    }

    private func take(countsAsDue: Bool, _ refill: FrameQueue.RefillPolicy = .atOnce) -> VideoFrame? {
        guard let frame = pipeline.frames.pop(refill) else { return nil }
        if countsAsDue { takenCounts.due += 1 }
        lastShown = frame.presentationTime
        onShow = frame.presentationTime
        return frame
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

    /// An exact seek has missed its frame: seeks again, dropping everything in flight.
    private func seekAgain(_ now: HostTime) {
        switch phase {
        case .preroll(_, let target?):
            lastShown = target  // The one under way has nothing to show.
            seek(to: pendingSeek?.target ?? target, mode: pendingSeek?.mode ?? .exact, now: now)
        case .scrubbing: repeatOrder(now)
        default: break
        }
    }

    /// The decoder has lost its position: seeks to restore it, restarting audio.
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
        let isStuck = now - since >= Self.picturePatience && pipeline.packets.isAtLimit
        let hasPicture = !hasVideo || lastShown != nil || head.hasEnded && head.first == nil || isStuck
        if let pending = pendingSeek, hasPicture || now - since >= Self.seekPatience {
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
        let isWithoutAudio = now - since >= Self.audioPatience && pipeline.packets.isAtLimit
        guard audioIsReady || isWithoutAudio || now - since >= Self.startTimeout || wantsPause else { return }

        // An exact seek continues from its target, any other seek from the frame that it found.
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

    /// Starts the clock; if audio is coming, when it will be heard.
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
                audio.follow(from, at: now, speed: speed, generation: audioGeneration)
            } else {
                audio.start(from: from, speed: speed, generation: audioGeneration)
            }
        }
        audio.resume()
        phase = .startingAudio(since: since ?? now)
        advance(to: now)
    }

    /// The clock starts when audio is this near; reports until then still move it.
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
        // Audio that would come too late, or about which nothing is known for too long.
        guard now >= deadline || start.map({ $0 > deadline }) == true else { return }
        audioIsLate = true
        audio.follow(clock.time(at: now), at: now, speed: speed, generation: audioGeneration)
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
        return audio.hasEnded(at: now) || clock.time(at: now) - end >= Self.tailPatience * clock.speed
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

    /// Where the media ends; nil until all tracks have ended.
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
