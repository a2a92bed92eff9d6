import Controls
import Library
import Media
import Navigation
import Picture
import Subtitles
import Time

// What commands do. Each shows what came of it, where that is not to be seen anyway.

extension Application {
    func perform(_ command: Command, now: HostTime) {
        switch command {
        case .toggleFullscreen: toggleFullscreen(now: now)
        case .toggleOnTop: toggleOnTop(now: now)
        case .toggleFloating: toggleFloating(now: now)
        case .toggleFloatingLines: toggle(.lines, now: now)
        case .toggleFloatingClock: toggle(.clock, now: now)
        case .leave: leave(now: now)
        case .back: back(now: now)
        case .quit: finish(.done)
        case .showKeys: showKeys(now: now)
        case .showDetails: showDetails(now: now)
        case .toggleLock: playerPage?.toggleLock(now: now)
        case .toggleStatistics: toggleStatistics(now: now)
        default: if let playing { perform(command, on: playing, now: now) }
        }
        showState(now: now)
    }

    private func perform(_ command: Command, on playing: PlaybackSession, now: HostTime) {
        let player = playing.player
        switch command {
        case .togglePause: player.togglePause(now: now)
        case .play: player.play(now: now)
        case .pause: player.pause(now: now)
        case .stop: stopPlaying()
        case .seek(let seconds, let isExact): seek(by: .seconds(seconds), isExact: isExact, now: now)
        case .goToStart: player.seek(to: .zero, now: now)
        case .goToEnd: if let length = player.info?.duration { player.seek(to: length, now: now) }
        case .stepFrame(let forward): player.stepFrame(forward: forward, now: now)
        case .chapter(let step): goToChapter(by: step, now: now)
        case .next: skip(by: 1, now: now)
        case .previous: skip(by: -1, now: now)
        case .multiplySpeed(let factor): setSpeed(player.speed * factor, now: now)
        case .setSpeed(let speed): setSpeed(speed, now: now)
        case .markLoop: markLoop(now: now)
        case .toggleFileLoop:
            player.isLooping.toggle()
            playerPage?.tell(.repeatOnce, player.isLooping ? "Repeating" : "Not repeating", now: now)
        case .toggleMute:
            player.isMuted.toggle()
            showVolume(now: now)
        case .changeVolume(let percent): changeVolume(by: Double(percent) / 100, now: now)
        case .changeBrightness(let percent):
            setBrightness(playing.video.brightness.value + Double(percent) / 100, now: now)
        case .cycleAudioTrack: cycleAudioTrack(now: now)
        case .cycleSubtitleTrack(let forward): cycleSubtitles(forward: forward, now: now)
        case .toggleSubtitles: toggleSubtitles(now: now)
        case .delaySubtitles(let tenths): delaySubtitles(by: .milliseconds(100 * tenths), now: now)
        case .toggleFill: playerPage?.toggleFill(now: now)
        case .screenshot: saveScreenshot(now: now)
        case .toggleFullscreen, .toggleOnTop, .leave, .back, .quit, .showKeys, .showDetails, .toggleLock,
            .toggleStatistics, .toggleFloating, .toggleFloatingLines, .toggleFloatingClock:
            break
        }
    }

    /// Everything that shows how what plays stands, shows it as it is now.
    func showState(now: HostTime) {
        desktopIsStale = true
        if let playing { showInMiniBars(playing, now: now) }
        playerPage?.showFigures(now: now)
        for session in sessions { session.show(isPlaying: playing.map { PlayerStatus.pauses($0.player) } ?? false) }
        setNeedsTick()
    }

    // MARK: - Place

    func seek(by step: Duration, isExact: Bool, now: HostTime) {
        guard let player = playing?.player else { return }
        player.seek(by: step, isExact: isExact, now: now)
        guard let info = player.info, info.isSeekable else { return }
        playerPage?.tellPosition(player.position(at: now), of: info.duration, isBack: step < .zero, now: now)
    }

    private func goToChapter(by step: Int, now: HostTime) {
        guard let player = playing?.player else { return }
        if player.seekToChapter(by: step, now: now) {
            playerPage?.tell(.film, chapterTitle(at: player.position(at: now)) ?? "Chapter", now: now)
        } else if player.info?.chapters.isEmpty != false {
            playerPage?.tell(.film, "No chapters", now: now)
        }
    }

    /// The title of the chapter at a position, or its number.
    func chapterTitle(at position: Duration) -> String? {
        guard let player = playing?.player, let info = player.info, let index = player.chapter(at: position) else {
            return nil
        }
        return info.chapters[index].title ?? "Chapter \(index + 1)"
    }

    /// The beginning of what is repeated, then its end, then neither: mpv's A–B loop.
    private func markLoop(now: HostTime) {
        guard let playing else { return }
        let position = playing.player.position(at: now)
        let text = MediaFormatter.position(position, of: playing.player.info?.duration)
        let player = playing.player
        guard let start = player.loopRange?.start else {
            let isSet = player.setLoopRange(from: position, now: now)
            return tell(isSet ? "Repeat from \(text)" : "Nothing to repeat here")
        }
        if player.loopRange?.end == nil, player.setLoopRange(from: start, to: position, now: now) {
            tell("Repeat to \(text)")
        } else {
            player.setLoopRange(from: nil, now: now)
            tell("A–B loop off")
        }
        func tell(_ text: String) { playerPage?.tell(.repeatOnce, text, now: now) }
    }

    // MARK: - The list

    /// Goes to the next or the one before of the list: of the folder's, for a file that was opened alone.
    func skip(by step: Int, now: HostTime) {
        guard let playing else { return }
        if isPlaylistWide() {
            skip(playing, by: step, now: now)
        } else {
            // The disk may be slow: the skip comes when the list is there.
            folderLists.find(around: playing.location, skip: step)
        }
    }

    private func skip(_ playing: PlaybackSession, by step: Int, now: HostTime) {
        recordLast(now: now)
        if playing.skip(by: step) {
            playingChanged(now: now)
        } else {
            playerPage?.tell(step > 0 ? .next : .previous, step > 0 ? "End of playlist" : "Start of playlist", now: now)
        }
    }

    /// A file that was opened alone goes on in its folder's list; false where that is not known yet.
    private func isPlaylistWide() -> Bool {
        guard let playing, playing.playlist.locations.count == 1, !isAddress(playing.location) else { return true }
        let path = LibraryFolder.absolute(playing.location)
        for case let library as LibraryPage in stack.pages.reversed() {
            guard let list = library.playlist(from: path) else { continue }
            playing.continueIn(list)
            return true
        }
        return false
    }

    /// Goes on in a list that was found, if what it was looked for still plays.
    func takeFolderLists(now: HostTime) {
        while let found = folderLists.take() {
            guard let playing, playing.location == found.location else { continue }
            if playing.playlist.locations.count == 1, let list = found.list { playing.continueIn(list) }
            skip(playing, by: found.step, now: now)
            showState(now: now)
        }
    }

    // MARK: - Levels

    func setSpeed(_ speed: Double, now: HostTime) {
        guard let player = playing?.player else { return }
        // Steps of a tenth lead back to where they came from.
        let wanted = min(max(0.1, (speed * 1000).rounded() / 1000), 8)
        player.setSpeed(abs(wanted - 1) < 0.02 ? 1 : wanted, now: now)
        if playing?.speedBeforeHold == nil { playing?.sessionSpeed = player.speed }
        playerPage?.tell(.speed, PlayerControls.speedText(player.speed), now: now)
    }

    func changeVolume(by step: Double, now: HostTime) {
        guard let player = playing?.player else { return }
        if step > 0 { player.isMuted = false }
        player.volume = min(max(0, ((player.volume + step) * 1000).rounded() / 1000), 1.3)
        showVolume(now: now)
    }

    func showVolume(now: HostTime) {
        guard let player = playing?.player else { return }
        let level = player.isMuted ? 0 : player.volume
        playerPage?.tellLevel(
            player.isMuted || level == 0 ? .muted : .volume, "\(Int((level * 100).rounded())) %", level: level / 1.3,
            now: now)
    }

    func setBrightness(_ brightness: Double, now: HostTime) {
        guard let playing else { return }
        playing.video.brightness = Brightness((brightness * 100).rounded() / 100)
        let level = playing.video.brightness.value
        let percent = Int((level * 100).rounded())
        playerPage?.tellLevel(
            .brightness, percent > 0 ? "+\(percent) %" : "\(percent) %", level: (level + 1) / 2, now: now)
    }

    // MARK: - The window

    private func toggleOnTop(now: HostTime) {
        guard let window else { return }
        isOnTop.toggle()
        window.setFloating(isOnTop)
        playerPage?.tell(.floating, isOnTop ? "Above all windows" : "Not above other windows", now: now)
    }

    private func showKeys(now: HostTime) {
        settleRowIntoPage(now: now)
        // The same key closes it.
        if stack.top is InfoPage { return back(now: now) }
        let page = InfoPage(title: "Keys") { [weak self] in self?.back(now: .now()) }
        page.show(keyMap.sections)
        try? stack.push(page, now: now)
    }
}
