import Audio
public import Media
import Platform
public import Time

// Which of a media's tracks play, and how the sound changes to another track or another speed while the picture goes on.

extension Player {
    /// The media's sound tracks; none before it is open.
    public var audioTracks: [MediaInfo.Track] { tracks { $0.isAudio($1) } }

    /// The media's subtitles; none before it is open.
    public var subtitleTracks: [MediaInfo.Track] { tracks { $0.isSubtitle($1) } }

    private func tracks(_ isWanted: (MediaInfo, Int) -> Bool) -> [MediaInfo.Track] {
        guard let info else { return [] }
        return info.tracks.indices.filter { isWanted(info, $0) }.map { info.tracks[$0] }
    }

    /// Plays another sound track, by its index into the media's tracks; nil for none. The picture goes on, and of a file
    /// the new sound follows on what the server holds of the old one, some 0.1 s.
    ///
    /// A track that turns out not to be decodable is reported as a problem, and leaves no sound.
    ///
    /// - Returns: false where it cannot be: no such sound, sound is not decoded at all, or nothing would be left to play.
    ///   Before the media is open it is true: the choice is made then, if it can be.
    @discardableResult public func selectAudioTrack(_ track: Int?, now: HostTime) -> Bool {
        guard let info else {
            guard phase == .opening else { return false }
            audioTrackAfterOpening = .some(track)
            return true
        }
        guard track != selectedAudioTrack else { return true }
        // Where it cannot seek, what the server sends next may be in the midst of anything.
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

    /// Reads other subtitles, by their index into the media's tracks; nil for none. Those that are on show now come at
    /// once, where they were read lately.
    ///
    /// - Returns: false where there are none of that index. Before the media is open it is true.
    @discardableResult public func selectSubtitleTrack(_ track: Int?) -> Bool {
        if let track {
            guard phase == .opening || info?.isSubtitle(track) == true else { return false }
        }
        guard track != selectedSubtitleTrack else { return true }
        selectedSubtitleTrack = track
        pipeline.selectSubtitles(track)
        return true
    }

    /// Has the packets of the selected subtitles go to `receiver`; what was read of them lately comes at once, on the
    /// demuxer's thread.
    package func attach(_ receiver: (any SubtitleReceiver)?) { pipeline.attach(receiver) }

    // MARK: - Sound that begins anew

    /// Has the sound go on with `track`, at the speed that is wanted now, and the picture as it is.
    func restartAudio(_ track: Int, now: HostTime) {
        guard let audio = pipeline.audio, let info else { return }
        hasAudio = true
        switch phase {
        case .failed where isLost:
            // Once the connection is there again.
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
            // A seek that waits its turn is where it is going.
            let (target, mode) = pendingSeek ?? (mediaTime(at: now), .exact)
            pipeline.packets.selectAudio(track: track)
            seek(to: target, mode: mode, now: now)
        case .paused where audioIsElsewhere: pipeline.packets.selectAudio(track: track)
        case .running, .startingAudio, .buffering, .paused:
            // Over a network only the track that plays is read.
            if isAddress, track != pipeline.packets.audioTrack {
                return seekForAudio(track, now)
            }
            let next = nextGeneration
            pipeline.packets.holdAudio()
            // Sound that has ended, or that was not heard yet, is nothing to follow on.
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

    /// Begins sound where there is none, beside the picture that goes on.
    private func join(_ track: Int, _ next: Int, _ now: HostTime) {
        pipeline.audio?.flush(generation: next)
        guard
            pipeline.packets.restartAudio(
                track: track, from: clock.time(at: now), generation: next, takesAnything: info?.isSeekable == false)
        else { return seekForAudio(track, now) }
        audioGeneration = next
        if case .startingAudio = phase {
            // Picture and sound were to begin together, and still are.
            pipeline.audio?.pause()
            phase = .preroll(since: now, target: clock.time(at: now))
        } else {
            followPicture(now)
        }
    }

    /// Sound that begins again is heard in its place, beside the picture.
    private func followPicture(_ now: HostTime) {
        pipeline.audio?.follow(clock.time(at: now), at: now, speed: speed, generation: audioGeneration)
        clock.setSpeed(speed, at: now)
        clock.observeSilence(at: now)
        // Where the picture stands, sound that follows it stands as well.
        if phase == .running { pipeline.audio?.resume() }
    }

    /// What it takes is not there any more: picture and sound begin anew together.
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

    /// Of a media that cannot seek: begins with what there is of the track, at the place where the picture is or later.
    private func restartUnsought(_ track: Int, _ now: HostTime) {
        let next = nextGeneration
        pipeline.audio?.flush(generation: next)
        // Chosen first: over a network nothing is read of it yet.
        pipeline.packets.selectAudio(track: track)
        pipeline.packets.orderSelection()
        _ = pipeline.packets.restartAudio(
            track: track, from: mediaTime(at: now), generation: next, takesAnything: true)
        audioGeneration = next
    }

    /// Goes on without sound.
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

    /// The stream that was chosen has no decoder: that was reported when it was tried.
    func dropRefusedAudio(_ now: HostTime) {
        guard hasAudio, pipeline.audioDecoder?.isRefused(audioGeneration) == true else { return }
        dropAudio(now)
        if !hasVideo { phase = .failed(.nothingToPlay(reason: "its sound cannot be decoded")) }
    }

    /// Keeps the clock with what is heard.
    func followAudio(_ now: HostTime) {
        guard hasAudio, let audio = pipeline.audio else { return }
        dropRefusedAudio(now)
        let heard = audio.position(at: now).flatMap { $0.generation == audioGeneration ? $0 : nil }
        guard let heard else {
            // Sound for which the clock stands is about to begin.
            let isAboutToBegin = audio.onset.map { $0.host > now && $0.host - now < .milliseconds(50) } ?? false
            if !isAboutToBegin { clock.observeSilence(at: now) }
            clock.setSpeed(speed, at: now)
            return
        }
        // The sound that was on its way when the speed was changed is heard first.
        if heard.speed != clock.speed { clock.setSpeed(heard.speed, at: now) }
        if heard.isServerLed { audioIsLate = false }
        let time = clock.time(at: now)
        if time - heard.mediaTime > Self.longestHold || clock.wait(at: now) > Self.longestHold {
            clock.observeSilence(at: now)
            audio.follow(time, at: now, speed: speed, generation: audioGeneration)
        } else {
            clock.observe(heard.mediaTime, at: now)
        }
    }
}
