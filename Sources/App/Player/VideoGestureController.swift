import GlissadeControls
import GlissadeTime

/// Performs the actions of the gestures on the video. Main thread.
@MainActor final class VideoGestureController {
    private let playback: PlaybackController
    private let pages: Pages
    private let settings: SettingsController
    private let commands: Commands
    private let transport: TransportController
    private let seeking: SeekController
    /// The latest series of skips: the total length, negative for backward skips, and the time of the last skip. Nil
    /// before the first skip.
    private var skipped: (sum: Duration, time: HostTime)?
    /// The brightness or volume when the current drag began. A muted volume counts as 0.
    private var levelBefore = 0.0
    /// The volume and mute state when the current volume drag began. They are restored if the drag is canceled.
    private var volumeBefore = (volume: 1.0, isMuted: false)

    init(
        playback: PlaybackController, pages: Pages, settings: SettingsController, commands: Commands,
        transport: TransportController, seeking: SeekController
    ) {
        self.playback = playback
        self.pages = pages
        self.settings = settings
        self.commands = commands
        self.transport = transport
        self.seeking = seeking
    }

    /// Connects all gestures except the drag that leaves fullscreen.
    func connect(_ gestures: VideoGestures) {
        gestures.onClick = { [weak self] _, now in
            self?.pages.playerPage?.toggleControls(now: now)
            self?.pages.setNeedsTick()
        }
        gestures.onLockedClick = { [weak self] _, now in
            guard let self else { return }
            pages.playerPage?.tellLocked(key: nil, now: now)
            pages.setNeedsTick()
        }
        gestures.onDoubleClick = { [weak self] _, now in self?.commands.perform(.toggleFullscreen, now: now) }
        gestures.onSkip = { [weak self] step, _, now in self?.skip(by: step, now: now) }
        gestures.onLevelDrag = { [weak self] level, drag, now in self?.drag(level, drag, now: now) }
        gestures.onLongPress = { [weak self] isHeld, now in self?.longPress(isHeld, now: now) }
        gestures.onVolumeWheel = { [weak self] notches, now in
            guard let self else { return }
            transport.changeVolume(by: notches * settings.current.videoGestures.wheelStep / 100, now: now)
            playback.stateChanged(now: now)
        }
        gestures.onSeek = { [weak self] seek, now in self?.seeking.wheel(seek, now: now) }
        gestures.onPinch = { [weak self] pinch, now in
            if case .ended(let scaling?) = pinch { self?.pages.playerPage?.setFilled(scaling == .fill, now: now) }
            self?.pages.setNeedsTick()
        }
        gestures.timeline = { [weak self] in
            guard let player = self?.playback.session?.player, let info = player.info, info.isSeekable else {
                return nil
            }
            return (player.position(at: .now()), info.duration)
        }
    }

    private func skip(by step: Duration, now: HostTime) {
        guard playback.session?.player.info?.isSeekable == true else { return }
        transport.seek(by: step, isExact: true, now: now)
        // For skips in quick succession, the message shows their total.
        let continues = skipped.map { now - $0.time < .seconds(1) && ($0.sum < .zero) == (step < .zero) } ?? false
        let sum = (continues ? skipped?.sum ?? .zero : .zero) + step
        skipped = (sum, now)
        let seconds = Int(clamping: sum.components.seconds.magnitude)
        pages.playerPage?.tell(
            step < .zero ? .rewind10 : .forward10, "\(seconds) s \(step < .zero ? "back" : "forward")", now: now)
        playback.stateChanged(now: now)
    }

    private func drag(_ level: VideoGestures.Level, _ drag: VideoGestures.LevelDrag, now: HostTime) {
        guard let session = playback.session else { return }
        let player = session.player
        switch (level, drag) {
        case (.brightness, .began): levelBefore = session.film.adjustments.brightness.value
        case (.volume, .began):
            volumeBefore = (player.volume, player.isMuted)
            levelBefore = player.isMuted ? 0 : player.volume
        // Brightness ranges from -1 to 1, so a drag over the whole range changes it by 2.
        case (.brightness, .changed(let change)): transport.setBrightness(levelBefore + change * 2, now: now)
        case (.volume, .changed(let change)):
            transport.setVolume(
                levelBefore + change * TransportController.volumeRange.upperBound, isMuted: false, now: now)
        case (.brightness, .cancelled): transport.setBrightness(levelBefore, now: now)
        case (.volume, .cancelled):
            transport.setVolume(volumeBefore.volume, isMuted: volumeBefore.isMuted, now: now)
        case (_, .ended): break
        }
        playback.stateChanged(now: now)
    }

    /// Doubles the speed, up to the maximum, when a long press begins. Restores the previous speed when the press ends.
    private func longPress(_ isHeld: Bool, now: HostTime) {
        guard let session = playback.session else { return }
        if isHeld {
            session.speedBeforeHold = session.player.speed
            transport.setSpeed(session.player.speed * settings.current.videoGestures.holdSpeed, now: now)
        } else if let speed = session.speedBeforeHold {
            session.speedBeforeHold = nil
            transport.setSpeed(speed, now: now)
        }
        playback.stateChanged(now: now)
    }
}
