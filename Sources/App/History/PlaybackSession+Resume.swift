import GlissadeHistory
import GlissadeLibrary
import GlissadeSubtitles
import GlissadeTime

// Resuming files that were played before.

extension PlaybackSession {
    /// Waits for the file's history entry until `deadline`, and resumes the file if the entry has been found. Called at
    /// startup, before the first frame is shown. Blocks.
    func resumeAtOnce(by history: PlayHistory?, until deadline: HostTime) {
        guard let entry = history?.waitForAnswer(about: location, until: deadline)?.entry else { return }
        wasOpenedWith(entry, now: .now())
    }

    /// Restores the position, volume, mute state and speed from the history, except those set on the command line. Also
    /// restores the tracks once the file is open.
    ///
    /// - Returns: False if playback is already two seconds or more past its start. In that case, nothing is restored.
    @discardableResult func wasOpenedWith(_ entry: HistoryEntry, now: HostTime) -> Bool {
        guard player.position(at: now) < (asked.start ?? .zero) + .seconds(2) else { return false }
        if asked.start == nil, let position = entry.resumePosition {
            player.seek(to: position - MediaTime.zero, mode: .exact, now: now)
        }
        if asked.volume == nil { player.volume = min(max(0, entry.volume / 100), 1.3) }
        if asked.isMuted == nil { setMutedByUser(entry.isMuted) }
        if asked.speed == nil { player.setSpeed(min(max(0.1, entry.speed), 8), now: now) }
        remembered = entry
        restoreTracks(now: now)
        return true
    }

    /// Selects the first audio track in the most preferred language that the file has. Acts only once per file, when
    /// the file is open. Does nothing if the user or the history has already chosen a track.
    func preferAudio(in languages: [String], now: HostTime) {
        guard !hasPreferredAudio, player.info != nil else { return }
        hasPreferredAudio = true
        guard !isAudioChosen, let track = TrackName.first(of: player.audioTracks, in: languages) else { return }
        player.selectAudioTrack(track.index, now: now)
    }

    /// Selects the audio track and subtitles from the history. Acts only once per file, when the file is open. Does not
    /// replace tracks that have already been chosen.
    func restoreTracks(now: HostTime) {
        guard let entry = remembered, player.info != nil else { return }
        remembered = nil
        if !isAudioChosen, let track = entry.audioTrack, player.audioTracks.contains(where: { $0.index == track }) {
            isAudioChosen = true
            player.selectAudioTrack(track, now: now)
        }
        if subtitles.isChosen { return }
        switch entry.subtitles {
        case .off: subtitles.restore(nil, of: player, now: now)
        case .track(let index): subtitles.restore(.track(index), of: player, now: now)
        case .file(let path, let track): subtitles.restore(.file(path.location, track: track), of: player, now: now)
        case nil: break
        }
    }
}
