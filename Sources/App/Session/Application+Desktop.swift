import Desktop
import Library
import Subtitles
import Time
import Windowing

// The desktop around the program: its media keys, and its screen saver.

extension Application {
    /// Connects once something was seen: nothing may hold that up. Then does what the desktop asks for, and tells it how
    /// things are.
    func advanceDesktop(to now: HostTime) {
        guard let desktop else { return }
        if firstShown != nil || playing.map({ $0.player.info != nil && !$0.player.hasVideo }) ?? hasPlayed {
            desktop.start()
        }
        for command in desktop.takeCommands() { obey(command, now: now) }
        defer { ScreenSaver.setSuspended(keepsScreenOn && desktop.screenInhibition == .unavailable) }
        // Time alone needs no telling; a look now and then finds what nobody told of.
        guard desktopIsStale || now >= desktopLooksAt, playing?.player.isScrubbing != true else { return }
        desktopIsStale = false
        desktopLooksAt = now + .seconds(1)
        // What plays in a card by itself keeps no screen awake.
        let told = playing.flatMap { $0.isWatched ? state(of: $0, now: now) : nil } ?? DesktopState()
        keepsScreenOn = told.keepsScreenOn
        desktop.publish(told, now: now)
    }

    private func state(of playing: PlaybackSession, now: HostTime) -> DesktopState {
        let player = playing.player
        var state = DesktopState()
        switch player.state {
        case .opening, .playing, .buffering, .reconnecting: state.status = .playing
        case .paused: state.status = .paused
        case .ended, .failed: state.status = .stopped
        }
        state.location = playing.location
        state.title = playing.title
        state.length = player.info?.duration
        state.position = player.position(at: now)
        state.rate = player.speed
        state.volume = player.isMuted ? 0 : player.volume
        state.canGoNext = playing.playlist.hasNext
        state.canGoPrevious = playing.playlist.hasPrevious
        state.canSeek = player.info?.isSeekable ?? false
        state.hasVideo = player.hasVideo && player.info?.isStill != true
        return state
    }

    private func obey(_ command: DesktopCommand, now: HostTime) {
        switch command {
        case .play: perform(Command.play, now: now)
        case .pause: perform(Command.pause, now: now)
        case .playPause: perform(Command.togglePause, now: now)
        case .stop: perform(Command.stop, now: now)
        case .next: perform(Command.next, now: now)
        case .previous: perform(Command.previous, now: now)
        case .seek(let step): seek(by: step, isExact: true, now: now)
        case .setPosition(let position): playing?.player.seek(to: position, now: now)
        case .setVolume(let volume): setVolume(volume, now: now)
        case .setRate(let rate): setSpeed(rate, now: now)
        case .raise: if isMainClosed { openMainWindow() } else { window?.raise() }
        case .quit: finish(.done)
        case .open(let location): open([location])
        }
        showState(now: now)
    }
}
