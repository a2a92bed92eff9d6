import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// Says that playback has paused or goes on, with a sign in the middle that is there for a moment, and that it is paused, with
/// a small one that stays while no controls say so. Main thread.
@MainActor final class PauseSign {
    let layer = Layer()
    /// The sign in the middle, and the small one.
    private let (flash, mark) = (Layer(content: .color(Theme.disc)), Layer(content: .color(Theme.disc)))
    private let (flashIcon, markIcon) = (Layer(), Layer(content: .icon(.pause, Theme.text)))
    /// Whether playback is paused; nil while it neither plays nor can go on, as at the end.
    private var isPaused: Bool?
    /// When the sign in the middle begins to fade; nil if it does not.
    private var until: HostTime?

    /// How long the sign in the middle stands, and how long it takes to fade.
    static let (rest, fade) = (Duration.milliseconds(300), Duration.milliseconds(200))
    private static let (markSide, flashIconSide, markIconSide) = (32.0, 36.0, 18.0)

    init() {
        for part in [layer, flash, mark] { part.isHitTestable = false }
        flash.opacity = 0
        (flash.isHidden, mark.isHidden) = (true, true)
        flash.add(flashIcon)
        mark.add(markIcon)
        layer.add(flash)
        layer.add(mark)
    }

    /// What the sign in the middle shows; nil while it is not there.
    var flashed: Icon? {
        guard !flash.isHidden, case .icon(let icon, _) = flashIcon.content else { return nil }
        return icon
    }
    var isMarked: Bool { !mark.isHidden }

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
        mark.isHidden = isPaused != true || areControlsShown || isElsewhere
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

    /// Places the signs on a page of the given size, of which other views cover `bottom` at the lower edge.
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
        mark.frame = Rect(
            x: Theme.margin, y: size.height - bottom - Theme.margin - Self.markSide, width: Self.markSide,
            height: Self.markSide)
        mark.cornerRadius = Self.markSide / 2
        markIcon.frame = square(Self.markIconSide, in: mark.frame.size)
    }
}
