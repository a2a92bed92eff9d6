import Controls
import Geometry
import Layers
import Library
import Playback
import Time

// What the hand does on the player's page.

extension Application: PlayerPageOwner {
    func figures(now: HostTime) -> PlayerStatus? {
        guard let playing else { return nil }
        var figures = PlayerStatus(playing, isFullscreen: fullscreen.isEntered, canFloat: window != nil, now: now)
        if playing.playlist.locations.count == 1 { figures.hasNext = true; figures.hasPrevious = true }
        return figures
    }

    func setVolume(_ volume: Double, now: HostTime) {
        guard let player = playing?.player else { return }
        player.volume = min(max(0, volume), 1.3)
        player.isMuted = false
        showState(now: now)
    }

    func controlsChanged() { showPointer() }

    /// The pointer goes with the controls, where the film fills the screen: in a window there is more to point at.
    func showPointer() {
        guard let window else { return }
        window.setCursorHidden(isPlayerOnTop && fullscreen.isEntered && playerPage?.areControlsShown == false)
    }

    // MARK: - Seeking by the bar

    func scrub(_ scrub: PlayerControls.Scrub, now: HostTime) {
        guard let player = playing?.player, let page = playerPage else { return }
        func position(_ fraction: Double) -> Duration { page.controls.figures.position(at: fraction) }
        switch scrub {
        case .began(let fraction):
            player.beginScrub(now: now)
            player.scrub(to: position(fraction), now: now)
            preview(at: fraction, now: now)
        case .moved(let fraction):
            follow(position(fraction), player, now: now)
            preview(at: fraction, now: now)
        case .ended(let fraction):
            letGo(at: position(fraction), player, now: now)
            preview(at: nil, now: now)
        case .cancelled:
            player.cancelScrub(now: now)
            preview(at: nil, now: now)
        }
        showState(now: now)
    }

    /// A seek by a key has ended what the hand does: it takes hold again.
    private func follow(_ position: Duration, _ player: Player, now: HostTime) {
        if player.scrub(to: position, now: now) { return }
        player.beginScrub(now: now)
        player.scrub(to: position, now: now)
    }

    /// At the very end it holds: what is let go there does not run on into the next file.
    private func letGo(at position: Duration, _ player: Player, now: HostTime) {
        var position = position
        if let length = player.info?.duration {
            let last = max(.zero, length - frameDuration)
            if position >= last, player.hasVideo {
                position = last
                player.pause(now: now)
            }
        }
        if !player.endScrub(to: position, now: now) { player.seek(to: position, now: now) }
    }

    /// How long a picture of the film stands.
    private var frameDuration: Duration {
        guard let rate = playing?.player.info?.frameRate, rate >= 1 else { return .milliseconds(50) }
        return .nanoseconds(Int64(clamping: 1.5e9 / rate))
    }

    func preview(at fraction: Double?, now: HostTime) {
        guard let page = playerPage else { return }
        setNeedsTick()
        let controls = page.controls
        guard let fraction = controls.scrubbing ?? fraction, controls.isShown, controls.figures.length != nil,
            controls.progress.isEnabled, let playing
        else {
            previewed = nil
            previews?.cancel()
            page.preview.hide(now: now)
            return
        }
        previewed = fraction
        if playing.player.hasVideo {
            previews(of: playing).request(at: controls.figures.position(at: fraction), now: now)
        }
        showPreview(now: now)
    }

    /// What plays is another, or nothing: pictures of the one before are not its own.
    func forgetPreviews(now: HostTime) {
        previews = nil
        previewed = nil
        playerPage?.preview.forget()
        playerPage?.preview.hide(now: now)
    }

    private func previews(of playing: PlaybackSession) -> SeekPreviewStore {
        if let previews, previews.location == playing.location { return previews }
        playerPage?.preview.forget()
        let made = SeekPreviewStore(
            location: playing.location, scale: snapshots.scale, images: renderer.images, wake: wake)
        previews = made
        return made
    }

    /// Takes in pictures of places that were made.
    func advancePreviews(to now: HostTime) {
        guard let previews else { return }
        previews.isSuspended = stack.isTransitioning
        if previews.advance(to: now), previewed != nil {
            showPreview(now: now)
            setNeedsTick()
        }
    }

    /// Shows the preview where the pointer is, with the picture that there is.
    func showPreview(now: HostTime) {
        guard let fraction = previewed, let page = playerPage, let playing else { return }
        let bar = page.controls.progress.layer.frame
        let position = page.controls.figures.position(at: fraction)
        page.preview.show(
            time: MediaFormatter.position(position, of: page.controls.figures.length),
            chapter: chapterTitle(at: position),
            image: previews?.picture(near: position), hasPictures: playing.player.hasVideo,
            at: Point(x: bar.minX + fraction * bar.size.width, y: bar.minY),
            in: Rect(x: 8, y: 0, width: max(0, page.layer.frame.size.width - 16), height: page.layer.frame.size.height),
            now: now)
    }

    // MARK: - Gestures

    func connectGestures(of page: PlayerPage) {
        let gestures = page.gestures
        gestures.onClick = { [weak self] _, now in
            self?.playerPage?.toggleControls(now: now)
            self?.setNeedsTick()
        }
        gestures.onLockedClick = { [weak self] _, now in
            _ = self?.playerPage?.showControls(now: now)
            self?.setNeedsTick()
        }
        gestures.onDoubleClick = { [weak self] _, now in self?.perform(.toggleFullscreen, now: now) }
        gestures.onSkip = { [weak self] step, _, now in self?.skipped(by: step, now: now) }
        gestures.onLevelDrag = { [weak self] level, drag, now in self?.drag(level, drag, now: now) }
        gestures.onLongPress = { [weak self] isHeld, now in self?.longPress(isHeld, now: now) }
        gestures.onVolumeWheel = { [weak self] notches, now in
            self?.changeVolume(by: notches * 0.02, now: now)
            self?.showState(now: now)
        }
        gestures.onSeek = { [weak self] seek, now in self?.wheelSeek(seek, now: now) }
        gestures.onPinch = { [weak self] pinch, now in
            if case .ended(let scaling?) = pinch { self?.playerPage?.setFilled(scaling == .fill, now: now) }
            self?.setNeedsTick()
        }
        connectDismissal(of: page)
        gestures.timeline = { [weak self] in
            guard let player = self?.playing?.player, let info = player.info, info.isSeekable else { return nil }
            return (player.position(at: .now()), info.duration)
        }
    }

    private func skipped(by step: Duration, now: HostTime) {
        guard playing?.player.info?.isSeekable == true else { return }
        seek(by: step, isExact: true, now: now)
        // Clicks that follow upon one another count together.
        let goesOn = skipped.map { now - $0.time < .seconds(1) && ($0.sum < .zero) == (step < .zero) } ?? false
        let sum = (goesOn ? skipped?.sum ?? .zero : .zero) + step
        skipped = (sum, now)
        let seconds = Int(clamping: sum.components.seconds.magnitude)
        playerPage?.tell(
            step < .zero ? .rewind10 : .forward10, "\(seconds) s \(step < .zero ? "back" : "forward")", now: now)
        showState(now: now)
    }

    private func drag(_ level: VideoGestures.Level, _ drag: VideoGestures.LevelDrag, now: HostTime) {
        guard let playing else { return }
        switch (level, drag) {
        case (.brightness, .began): levelBefore = playing.video.brightness.value
        case (.volume, .began):
            audioBefore = (playing.player.volume, playing.player.isMuted)
            levelBefore = playing.player.isMuted ? 0 : playing.player.volume
        // The whole way down is black, and up is twice as bright.
        case (.brightness, .changed(let change)): setBrightness(levelBefore + change * 2, now: now)
        case (.volume, .changed(let change)):
            playing.player.isMuted = false
            playing.player.volume = min(max(0, levelBefore + change * 1.3), 1.3)
            showVolume(now: now)
        case (.brightness, .cancelled): setBrightness(levelBefore, now: now)
        case (.volume, .cancelled):
            (playing.player.volume, playing.player.isMuted) = audioBefore
            showVolume(now: now)
        case (_, .ended): break
        }
        showState(now: now)
    }

    private func longPress(_ isHeld: Bool, now: HostTime) {
        guard let player = playing?.player else { return }
        if isHeld {
            playing?.speedBeforeHold = player.speed
            setSpeed(player.speed * 2, now: now)
        } else if let speed = playing?.speedBeforeHold {
            playing?.speedBeforeHold = nil
            setSpeed(speed, now: now)
        }
        showState(now: now)
    }

    private func wheelSeek(_ seek: VideoGestures.Seek, now: HostTime) {
        guard let player = playing?.player else { return }
        switch seek {
        case .began(let position):
            soughtFrom = position
            player.beginScrub(now: now)
            player.scrub(to: position, now: now)
        case .changed(let position):
            follow(position, player, now: now)
            playerPage?.tellPosition(
                position, of: player.info?.duration, isBack: position < (soughtFrom ?? position), now: now)
            soughtFrom = position
        case .ended(let position): letGo(at: position, player, now: now)
        }
        showState(now: now)
    }
}
