import Controls
import Library
import Media
import Platform
import Time

// Which sound and which subtitles play, how fast, and the menus to choose them.

extension Application {
    func entries(for menu: PlayerMenu) -> [Menu.Entry] {
        guard let playing else { return [] }
        switch menu {
        case .speed:
            let speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
            return [.title("Speed")]
                + speeds.map { speed in
                    .item(
                        Menu.Item(
                            id: "\(speed)", label: speed == 1 ? "Normal" : PlayerControls.speedText(speed),
                            isChecked: playing.player.speed == speed))
                }
        case .tracks: return audioEntries(playing) + [.separator] + subtitleEntries(playing)
        }
    }

    private func audioEntries(_ playing: PlaybackSession) -> [Menu.Entry] {
        let tracks = playing.player.audioTracks
        if tracks.isEmpty { return [] }
        let selected = playing.player.selectedAudioTrack
        var entries: [Menu.Entry] = [.title("Sound")]
        for (number, track) in tracks.enumerated() {
            entries.append(
                .item(
                    Menu.Item(
                        id: "sound \(track.index)", label: TrackName.text(track, number: number + 1),
                        detail: TrackName.detail(track), isChecked: track.index == selected)))
        }
        entries.append(.item(Menu.Item(id: "sound off", label: "Off", isChecked: selected == nil)))
        return entries
    }

    private func subtitleEntries(_ playing: PlaybackSession) -> [Menu.Entry] {
        let (choices, selected) = (playing.subtitles.choices, playing.subtitles.selected)
        var entries: [Menu.Entry] = [.title("Subtitles")]
        for (number, choice) in choices.enumerated() {
            entries.append(
                .item(
                    Menu.Item(
                        id: "subtitles \(number)", label: choice.name, detail: choice.detail,
                        isChecked: selected == number)))
        }
        let off = Menu.Item(
            id: "subtitles off", label: choices.isEmpty ? "None" : "Off", isChecked: selected == nil,
            isEnabled: !choices.isEmpty)
        return entries + [.item(off)]
    }

    func pick(_ id: String, in menu: PlayerMenu, now: HostTime) {
        guard let playing else { return }
        let words = id.split(separator: " ")
        switch (menu, words.first, words.last.flatMap { Int($0) }) {
        case (.speed, _, _): if let speed = Double(id) { setSpeed(speed, now: now) }
        case (.tracks, "sound", let index): selectAudio(index, now: now)
        case (.tracks, "subtitles", let number): playing.subtitles.select(number, of: playing.player, now: now)
        default: break
        }
        showState(now: now)
    }

    private func selectAudio(_ track: Int?, now: HostTime) {
        playing?.isAudioChosen = true
        playing?.player.selectAudioTrack(track, now: now)
    }

    func cycleAudioTrack(now: HostTime) {
        guard let player = playing?.player else { return }
        let tracks = player.audioTracks
        guard tracks.count > 1 || player.selectedAudioTrack == nil && !tracks.isEmpty else {
            playerPage?.tell(.volume, tracks.isEmpty ? "No sound" : "Only one audio track", now: now)
            return
        }
        let place = tracks.firstIndex { $0.index == player.selectedAudioTrack } ?? -1
        let next = (place + 1) % tracks.count
        selectAudio(tracks[next].index, now: now)
        playerPage?.tell(.volume, TrackName.text(tracks[next], number: next + 1), now: now)
    }

    /// Goes through the subtitles, and off.
    func cycleSubtitles(forward: Bool, now: HostTime) {
        guard let playing else { return }
        let count = playing.subtitles.choices.count
        guard count > 0 else {
            playerPage?.tell(.tracks, "No subtitles", now: now)
            return
        }
        // Off lies between the last and the first.
        let place = playing.subtitles.selected ?? count
        let next = (place + (forward ? 1 : count)) % (count + 1)
        playing.subtitles.select(next == count ? nil : next, of: playing.player, now: now)
        tellSubtitles(now: now)
    }

    func toggleSubtitles(now: HostTime) {
        guard let playing else { return }
        playing.subtitles.toggle(of: playing.player, now: now)
        tellSubtitles(now: now)
    }

    private func tellSubtitles(now: HostTime) {
        guard let subtitles = playing?.subtitles else { return }
        let name = subtitles.selected.map { subtitles.choices[$0].name }
        playerPage?.tell(.tracks, name ?? (subtitles.choices.isEmpty ? "No subtitles" : "Subtitles off"), now: now)
    }

    func delaySubtitles(by step: Duration, now: HostTime) {
        guard let subtitles = playing?.subtitles else { return }
        subtitles.delay = subtitles.delay + step
        let milliseconds = subtitles.delay.nanoseconds / 1_000_000
        playerPage?.tell(.tracks, "Subtitles \(milliseconds > 0 ? "+" : "")\(milliseconds) ms", now: now)
    }
}

extension Application {
    /// A file of subtitles that somebody gave.
    func show(subtitles file: String, now: HostTime) {
        guard let playing else { return console.error("\(file): no film plays") }
        playing.subtitles.open(file, of: playing.player, now: now)
        playerPage?.tell(.tracks, FilePath(location: file).displayName, now: now)
    }

    /// Shows the lines that belong to the frame on show. True where something else is to be seen.
    func advanceSubtitles(to now: HostTime) -> Bool {
        // What nobody sees is not set.
        guard let playing, let page = playerPage, isFilmFloating || seenPages.contains(where: { $0 === page }) else {
            return false
        }
        let player = playing.player
        _ = playing.subtitles.advance(player, preference: subtitlePreference, now: now)
        if let (file, error) = playing.subtitles.takeFailure(of: player, now: now) {
            console.error("\(file): \(error)")
            page.tell(.broken, "\(FilePath(location: file).displayName): \(error)", now: now)
        }
        guard let time = playing.video.shownTime else { return false }
        let change = playing.subtitles.subtitles.update(at: time)
        guard page.subtitles.show(change, images: renderer.images) else { return false }
        if isFilmFloating { filmElement?.setNeedsDisplay() }
        return true
    }
}
