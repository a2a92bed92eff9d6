import GlissadeAudio
public import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

// Track selection, and changing audio to another track or speed while video continues.

extension Player {
    /// The media's audio tracks, except those of other variants of a stream; empty before the media is open.
    public var audioTracks: [MediaInfo.Track] { tracks { $0.isAudioOfVariant($1) } }

    /// The media's subtitle tracks; empty before the media is open.
    public var subtitleTracks: [MediaInfo.Track] { tracks { $0.isSubtitle($1) } }

    private func tracks(_ isWanted: (MediaInfo, Int) -> Bool) -> [MediaInfo.Track] {
        guard let info else { return [] }
        return info.tracks.indices.filter { isWanted(info, $0) }.map { info.tracks[$0] }
    }

    /// Selects the audio track with index `track` in `MediaInfo.tracks`; nil turns audio off. Video continues if the
    /// packets needed are buffered; otherwise, the player seeks to the current position, if possible.
    ///
    /// For a file, the new track is heard after about 0.1 s, once the server has played the audio that it already
    /// holds. If the track cannot be decoded, reports a problem and plays no audio.
    ///
    /// - Returns: Whether the track was selected. While the media is opening, always true: the track is then selected
    ///   afterwards, if possible. False if there is no such track, if nothing would be left to play, if the player does
    ///   not decode audio, or if the connection was lost and the media cannot seek.
    @discardableResult public func selectAudioTrack(_ track: Int?, now: HostTime) -> Bool {
        guard let info else {
            guard phase == .opening else { return false }
            audioTrackAfterOpening = .some(track)
            return true
        }
        guard track != selectedAudioTrack else { return true }
        // After a lost connection, media that cannot seek may continue from anywhere in the stream.
        guard pipeline.audioDecoder != nil, !isUntimed, !isLost || info.isSeekable else { return false }
        if let track {
            guard info.isAudio(track), pipeline.packets.reads(track) else { return false }
            selectedAudioTrack = track
            restartAudio(track, now: now)
        } else {
            guard hasVideo else { return false }
            dropAudio(now)
        }
        return true
    }

    /// Selects the subtitle track with index `track` in `MediaInfo.tracks`; nil turns subtitles off. The current
    /// subtitle appears immediately if it was read recently.
    ///
    /// - Returns: Whether the track was selected. False if the index is not that of a subtitle track. While the media
    ///   is opening, always true.
    @discardableResult public func selectSubtitleTrack(_ track: Int?) -> Bool {
        if let track {
            guard phase == .opening || info?.isSubtitle(track) == true else { return false }
        }
        guard track != selectedSubtitleTrack else { return true }
        selectedSubtitleTrack = track
        pipeline.selectSubtitles(track)
        return true
    }

    /// Sends the packets of the selected subtitle track to `receiver` on the demuxer's thread, starting with recently
    /// read ones. If `receiver` is nil, stops sending packets.
    package func attach(_ receiver: (any SubtitleReceiver)?) { pipeline.attach(receiver) }

    // MARK: - Restarting audio

    /// Restarts audio with `track` at the current speed. Video continues if the packets needed are still buffered;
    /// otherwise, a seek restarts both video and audio.
    func restartAudio(_ track: Int, now: HostTime) {
        guard let audio = pipeline.audio, let info else { return }
        hasAudio = true
        switch phase {
        case .failed where isLost:
            // Applied once the connection is back.
            pipeline.packets.selectAudio(track: track)
            pipeline.packets.orderSelection()
        case .opening, .failed: return
        case .ended: pipeline.packets.selectAudio(track: track)
        case .scrubbing:
            pipeline.packets.selectAudio(track: track)
            scrub?.audioIsStale = true
        case .preroll where !info.isSeekable, .paused where audioIsElsewhere && !info.isSeekable:
            restartUnsought(track, now)
        case .preroll:
            // A pending seek counts as the position.
            let (target, mode) = pendingSeek ?? (mediaTime(at: now), .exact)
            pipeline.packets.selectAudio(track: track)
            seek(to: target, mode: mode, now: now)
        case .paused where audioIsElsewhere: pipeline.packets.selectAudio(track: track)
        case .running, .startingAudio, .buffering, .paused:
            // From a network or a playlist, only the track that plays is read.
            if isStream, track != pipeline.packets.audioTrack {
                return seekForAudio(track, now)
            }
            let next = nextGeneration
            pipeline.packets.holdAudio()
            // New audio cannot follow audio that has ended or has not been heard yet.
            if audio.position(at: now) != nil, let from = audio.splice(generation: next) {
                guard
                    pipeline.packets.restartAudio(
                        track: track, from: from, generation: next, takesAnything: !info.isSeekable)
                else { return seekForAudio(track, now) }
                audioGeneration = next
            } else if phase == .paused {
                if info.isSeekable {
                    pipeline.packets.selectAudio(track: track)
                } else {
                    restartUnsought(track, now)
                }
                audioIsElsewhere = true
            } else {
                join(track, next, now)
            }
        }
    }

    /// Starts audio with `track` at the clock's time while video continues. If the packets needed are no longer
    /// buffered, seeks instead.
    private func join(_ track: Int, _ next: Int, _ now: HostTime) {
        pipeline.audio?.flush(generation: next)
        guard
            pipeline.packets.restartAudio(
                track: track, from: clock.time(at: now), generation: next, takesAnything: info?.isSeekable == false)
        else { return seekForAudio(track, now) }
        audioGeneration = next
        if case .startingAudio = phase {
            // Video and audio still begin together.
            pipeline.audio?.pause()
            phase = .preroll(since: now, target: clock.time(at: now))
        } else {
            followPicture(now)
        }
    }

    /// The actual speed of video: `speed`, adapted to the display's refresh rate while the display sets the pace.
    var pace: Double { speed * clock.displayFactor }

    /// Makes restarted audio play in sync with the video.
    private func followPicture(_ now: HostTime) {
        pipeline.audio?.follow(clock.time(at: now), at: now, speed: pace, generation: audioGeneration)
        clock.setSpeed(speed, at: now)
        clock.observeSilence(at: now)
        // While video is paused, audio that follows it stays paused as well.
        if phase == .running { pipeline.audio?.resume() }
    }

    /// Restarts video and audio with a seek, because the audio packets needed are not buffered. If the media cannot
    /// seek, restarts audio alone with the packets that are available.
    private func seekForAudio(_ track: Int, _ now: HostTime) {
        guard info?.isSeekable == true else {
            restartUnsought(track, now)
            followPicture(now)
            return
        }
        let position = mediaTime(at: now)
        pipeline.packets.selectAudio(track: track)
        pipeline.packets.orderSelection()
        seek(to: position, mode: .exact, now: now)
    }

    /// Restarts audio without a seek, for media that cannot seek. If the packets at the video's position are no longer
    /// buffered, audio starts later.
    private func restartUnsought(_ track: Int, _ now: HostTime) {
        let next = nextGeneration
        pipeline.audio?.flush(generation: next)
        // Select first: over a network, nothing of this track has been read yet.
        pipeline.packets.selectAudio(track: track)
        pipeline.packets.orderSelection()
        _ = pipeline.packets.restartAudio(
            track: track, from: mediaTime(at: now), generation: next, takesAnything: true)
        audioGeneration = next
    }

    /// Turns audio off, and lets the clock run without it.
    private func dropAudio(_ now: HostTime) {
        hasAudio = false
        selectedAudioTrack = nil
        audioGeneration = nextGeneration
        pipeline.audio?.flush(generation: audioGeneration)
        pipeline.packets.selectAudio(track: nil)
        clock.setSpeed(speed, at: now)
        clock.observeSilence(at: now)
        if case .startingAudio = phase { startClock(now: now, from: nil) }
    }

    /// Turns audio off if the selected track cannot be decoded. If there is no video either, playback fails. The
    /// decoder has already reported the problem.
    func dropRefusedAudio(_ now: HostTime) {
        guard hasAudio, pipeline.audioDecoder?.isRefused(audioGeneration) == true else { return }
        dropAudio(now)
        if !hasVideo { phase = .failed(.nothingToPlay(reason: "its audio cannot be decoded")) }
    }

    /// Updates `displayFactor`. Without audio, also applies the factor to the clock.
    func followDisplay(_ now: HostTime) {
        displayFactor =
            if let displayRate, let frameRate = info?.frameRate, hasVideo, info?.isStill == false {
                DisplayLead.factor(
                    film: frameRate * speed, display: displayRate, isLeading: displayFactor != nil)
            } else {
                nil
            }
        if !hasAudio { clock.setDisplayFactor(displayFactor ?? 1, at: now) }
    }

    /// Keeps the clock and audio in sync. While a display sets the pace, audio follows the clock; otherwise, the clock
    /// follows the audio being heard.
    func followAudio(_ now: HostTime) {
        guard hasAudio, let audio = pipeline.audio else { return }
        dropRefusedAudio(now)
        let heard = audio.position(at: now).flatMap { $0.generation == audioGeneration ? $0 : nil }
        guard let heard else {
            // The audio that the clock waits for is about to begin.
            let isAboutToBegin = audio.onset.map { $0.host > now && $0.host - now < .milliseconds(50) } ?? false
            if !isAboutToBegin { clock.observeSilence(at: now) }
            clock.setSpeed(speed, at: now)
            clock.setDisplayFactor(displayFactor ?? 1, at: now)
            // Audio that joins later must be placed according to the current speed.
            audio.setFollowedSpeed(pace, at: now, generation: audioGeneration)
            return
        }
        // After a change of speed, audio of the old speed is heard first. Audio that follows a display also differs
        // slightly from the nominal speed.
        let heardSpeed = abs(heard.speed - speed) <= speed * DisplayLead.tolerance * 1.01 ? speed : heard.speed
        if heardSpeed != clock.speed { clock.setSpeed(heardSpeed, at: now) }
        if heard.isServerLed { audioIsLate = false }
        let time = clock.time(at: now)
        if time - heard.mediaTime > Self.longestHold || clock.wait(at: now) > Self.longestHold {
            clock.observeSilence(at: now)
            audio.follow(time, at: now, speed: pace, generation: audioGeneration)
        } else if let displayFactor, !clock.isHeld(at: now),
            DisplayLead.canFollow(ahead: time - heard.mediaTime, isFollowing: audioFollowsDisplay)
        {
            audioFollowsDisplay = true
            clock.observeSilence(at: now)
            clock.setDisplayFactor(displayFactor, at: now)
            pipeline.audioDecoder?.setRateFactor(DisplayLead.audioFactor(displayFactor, ahead: time - heard.mediaTime))
        } else {
            audioFollowsDisplay = false
            clock.setDisplayFactor(1, at: now)
            pipeline.audioDecoder?.setRateFactor(1)
            clock.observe(heard.mediaTime, at: now)
        }
    }
}
