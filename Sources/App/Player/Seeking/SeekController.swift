import GlissadeControls
import GlissadePlayback
import GlissadeTime

/// Seeks while the progress bar is dragged, and during a horizontal scroll over the video. Main thread.
@MainActor final class SeekController {
    private let playback: PlaybackController
    private let pages: Pages
    private let previews: SeekPreviewController
    /// The position to which the user last scrolled; nil before the first scroll.
    private var lastWheelPosition: Duration?

    init(playback: PlaybackController, pages: Pages, previews: SeekPreviewController) {
        self.playback = playback
        self.pages = pages
        self.previews = previews
    }

    func scrub(_ scrub: PlayerControls.Scrub, now: HostTime) {
        guard let player = playback.session?.player, let page = pages.playerPage else { return }
        func position(_ fraction: Double) -> Duration { page.controls.figures.position(at: fraction) }
        switch scrub {
        case .began(let fraction):
            begin(at: position(fraction), player, now: now)
            previews.show(at: fraction, now: now)
        case .moved(let fraction):
            follow(position(fraction), player, now: now)
            previews.show(at: fraction, now: now)
        case .ended(let fraction):
            end(at: position(fraction), player, now: now)
            previews.show(at: nil, now: now)
        case .cancelled:
            player.cancelScrub(now: now)
            previews.show(at: nil, now: now)
        }
        playback.stateChanged(now: now)
    }

    func wheel(_ seek: VideoGestures.Seek, now: HostTime) {
        guard let player = playback.session?.player else { return }
        switch seek {
        case .began(let position):
            lastWheelPosition = position
            begin(at: position, player, now: now)
        case .changed(let position):
            follow(position, player, now: now)
            pages.playerPage?.tellPosition(
                position, of: player.info?.duration, isBack: position < (lastWheelPosition ?? position), now: now)
            lastWheelPosition = position
        case .ended(let position): end(at: position, player, now: now)
        }
        playback.stateChanged(now: now)
    }

    private func begin(at position: Duration, _ player: Player, now: HostTime) {
        player.beginScrub(now: now)
        player.scrub(to: position, now: now)
    }

    /// Moves the scrub to `position`. If another seek has ended the scrub, begins a new one.
    private func follow(_ position: Duration, _ player: Player, now: HostTime) {
        if !player.scrub(to: position, now: now) { begin(at: position, player, now: now) }
    }

    /// Ends the scrub with a seek to `position`. If `position` is at the end of the file, seeks to just before the end
    /// and pauses, so that the next file does not start.
    private func end(at position: Duration, _ player: Player, now: HostTime) {
        var position = position
        if let length = player.info?.duration {
            let last = max(.zero, length - Self.lastFrame(of: player))
            if position >= last {
                position = last
                player.pause(now: now)
            }
        }
        if !player.endScrub(to: position, now: now) { player.seek(to: position, now: now) }
    }

    /// Returns how close to the end a position must be to count as the end: one and a half frame durations, or 50 ms if
    /// the frame rate is unknown or below 1.
    private static func lastFrame(of player: Player) -> Duration {
        guard let rate = player.info?.frameRate, rate >= 1 else { return .milliseconds(50) }
        return .nanoseconds(Int64(clamping: 1.5e9 / rate))
    }
}
