import GlissadeTime

// Carries out commands.

extension Application {
    func perform(_ command: Command, from source: Commands.Source, now: HostTime) {
        if isLocked(command, from: source) {
            state.pages.playerPage?.tellLocked(key: state.settings.keyMap.chord(for: .toggleLock), now: now)
        } else {
            carryOut(command, from: source, now: now)
        }
        state.playback.stateChanged(now: now)
    }

    /// Returns whether the lock prevents a command: the player's page is on top and locked, and the command would leave
    /// the page, or enter or leave fullscreen.
    private func isLocked(_ command: Command, from source: Commands.Source) -> Bool {
        guard source == .mainWindow, state.pages.isPlayerOnTop, state.pages.playerPage?.gestures.isLocked == true else {
            return false
        }
        switch command {
        case .leave, .back, .goToLibrary, .showDetails, .showKeys, .toggleFullscreen: return true
        case .toggleFloating: return !state.floatingWindows.isVideoFloating
        default: return false
        }
    }

    private func carryOut(_ command: Command, from source: Commands.Source, now: HostTime) {
        let session = state.playback.session
        let (transport, page) = (playbackControllers.transport, state.pages.playerPage)
        switch command {
        case .togglePause: session?.player.togglePause(now: now)
        case .play: session?.player.play(now: now)
        case .pause: session?.player.pause(now: now)
        case .stop: if session != nil { state.playback.stop(now: now) }
        case .seek(let seconds, let isExact): transport.seek(by: .seconds(seconds), isExact: isExact, now: now)
        case .goToStart: session?.player.seek(to: .zero, now: now)
        case .goToEnd: transport.seekToEnd(now: now)
        case .stepFrame(let forward): session?.player.stepFrame(forward: forward, now: now)
        case .chapter(let step): transport.goToChapter(by: step, now: now)
        case .next: playbackControllers.playlist.skip(by: 1, now: now)
        case .previous: playbackControllers.playlist.skip(by: -1, now: now)
        case .multiplySpeed(let factor): transport.multiplySpeed(by: factor, now: now)
        case .setSpeed(let speed): transport.setSpeed(speed, now: now)
        case .markLoop: transport.markLoop(now: now)
        case .toggleFileLoop: transport.toggleFileLoop(now: now)
        case .toggleMute: transport.toggleMute(now: now)
        case .changeVolume(let percent): transport.changeVolume(by: Double(percent) / 100, now: now)
        case .changeBrightness(let percent): transport.changeBrightness(by: Double(percent) / 100, now: now)
        case .cycleAudioTrack: playbackControllers.tracks.cycleAudio(now: now)
        case .cycleSubtitleTrack(let forward): playbackControllers.tracks.cycleSubtitles(forward: forward, now: now)
        case .toggleSubtitles: playbackControllers.tracks.toggleSubtitles(now: now)
        case .toggleComments: playbackControllers.comments.toggle(now: now)
        case .delaySubtitles(let tenths):
            playbackControllers.tracks.delaySubtitles(by: .milliseconds(100 * tenths), now: now)
        case .toggleFullscreen: pageControllers.fullscreen.toggle(now: now)
        case .toggleOnTop: toggleOnTop(now: now)
        case .toggleFloating: pageControllers.floating.toggle(.film, now: now)
        case .toggleFloatingLines: pageControllers.floating.toggle(.lines, now: now)
        case .toggleFloatingClock: pageControllers.floating.toggle(.clock, now: now)
        case .toggleFill: if session != nil { page?.toggleFill(now: now) }
        case .toggleLock: page?.toggleLock(now: now)
        case .screenshot: if session != nil { playbackControllers.screenshots.save(now: now) }
        case .toggleStatistics: playbackControllers.statistics.toggle(now: now)
        case .showKeys: pageControllers.navigator.toggleKeys(now: now)
        case .showDetails: pageControllers.navigator.showDetails(now: now)
        case .leave: leave(source, now: now)
        case .goToLibrary: pageControllers.navigator.goToLibrary(now: now)
        case .goToPlayer: pageControllers.navigator.bringPlayer(animated: true, now: now)
        case .back, .leaveFolder: pageControllers.navigator.goBack(now: now)
        case .quit: state.lifecycle.finish(.done)
        case .toggleLibraryView: (state.pages.top as? LibraryPage)?.toggleView(now: now)
        case .moveInList(let move): (state.pages.top as? any ProgramPage)?.moveInList(move, now: now)
        case .openSelection: (state.pages.top as? any ProgramPage)?.openSelection(now: now)
        }
    }

    private func leave(_ source: Commands.Source, now: HostTime) {
        switch source {
        case .floating(let kind): pageControllers.floating.leave(kind)
        case .mainWindow: if pageControllers.navigator.leave(now: now) { input.cancelGestures(now: now) }
        }
    }

    private func toggleOnTop(now: HostTime) {
        guard state.window.toggleOnTop() else { return }
        state.pages.playerPage?.tell(
            .floating, state.window.isOnTop ? "Always on top: on" : "Always on top: off", now: now)
    }
}
