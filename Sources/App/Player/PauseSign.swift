import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// Says for a moment, with a sign in the middle, that playback has paused or goes on. Main thread.
@MainActor final class PauseSign {
    let layer = Layer()
    private let flash = Layer(content: .color(Theme.disc))
    private let flashIcon = Layer()
    /// Whether playback is paused; nil while it neither plays nor can go on, as at the end.
    private var isPaused: Bool?
    /// When the sign begins to fade; nil if it does not.
    private var until: HostTime?

    /// How long the sign stands, and how long it takes to fade.
    static let (rest, fade) = (Duration.milliseconds(300), Duration.milliseconds(200))
    private static let flashIconSide = 36.0

    init() {
        for part in [layer, flash] { part.isHitTestable = false }
        flash.opacity = 0
        flash.isHidden = true
        flash.add(flashIcon)
        layer.add(flash)
    }

    /// What the sign shows; nil while it is not there.
    var flashed: Icon? {
        guard !flash.isHidden, case .icon(let icon, _) = flashIcon.content else { return nil }
        return icon
    }

    var isAnimating: Bool { flash.animatedOpacity.isMoving }
    var nextWake: HostTime? { until }

    /// Follows a change of what plays.
    ///
    /// - Parameters:
    ///   - areControlsShown: Whether the controls say that playback is paused.
    ///   - isElsewhere: Whether a floating window shows the video.
    func show(_ activity: PlayerStatus.Activity, areControlsShown: Bool, isElsewhere: Bool, now: HostTime) {
        let wasPaused = isPaused
        isPaused =
            switch activity {
            case .paused: true
            case .playing, .buffering, .reconnecting: false
            case .opening, .ended, .failed: nil
            }
        guard let wasPaused, let isPaused, isPaused != wasPaused, !isElsewhere else {
            if isPaused == nil || isElsewhere { hide() }
            return
        }
        // The controls have a large button in the same place.
        if isPaused, areControlsShown { return hide() }
        flashIcon.content = .icon(isPaused ? .pause : .play, Theme.text)
        flash.isHidden = false
        flash.animatedOpacity.removeAnimations()
        flash.opacity = 1
        until = now + Self.rest
    }

    private func hide() {
        until = nil
        flash.animatedOpacity.removeAnimations()
        flash.opacity = 0
        flash.isHidden = true
    }

    /// Returns whether something has changed.
    func advance(to now: HostTime) -> Bool {
        guard !flash.isHidden else { return false }
        if let until, now >= until {
            self.until = nil
            flash.animatedOpacity.animate(to: 0, now: LocalTime(until), duration: Self.fade, curve: .easeOut) {
                [weak self] isFinished in
                if isFinished { self?.flash.isHidden = true }
            }
        }
        flash.advance(to: LocalTime(now))
        return true
    }

    /// Places the sign on a page of the given size, of which other views cover `bottom` at the lower edge.
    func layout(_ size: Size, bottom: Double) {
        layer.frame = Rect(origin: .zero, size: size)
        func square(_ side: Double, in place: Size) -> Rect {
            Rect(
                x: ((place.width - side) / 2).rounded(), y: ((place.height - side) / 2).rounded(), width: side,
                height: side)
        }
        let side = Theme.centreSide
        flash.frame = square(side, in: Size(width: size.width, height: size.height - bottom))
        flash.cornerRadius = side / 2
        flashIcon.frame = square(Self.flashIconSide, in: flash.frame.size)
    }
}
