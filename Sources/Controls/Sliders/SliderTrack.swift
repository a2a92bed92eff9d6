import Animation
import Geometry
import Gestures
import Layers
import Time

/// Who hears what a hand does along a track. Shares of its length, 0…1.
@MainActor protocol TrackOwner: AnyObject {
    /// A press took hold; where nothing moves before it is let go of, the end follows at the same share.
    func dragBegan(_ fraction: Double, now: HostTime)
    /// The hand is elsewhere than it was.
    func dragMoved(_ fraction: Double, now: HostTime)
    func dragEnded(_ fraction: Double, now: HostTime)
    /// The hand was lost, or is not wanted any more.
    func dragCancelled(now: HostTime)
    /// The pointer is over `fraction`, or nowhere near.
    func hovered(_ fraction: Double?, now: HostTime)
    /// The colours, or where the edge is, may be others.
    func show()
}

/// What a progress bar and a slider have in common: the layers, the hand that draws along them, and how they grow under
/// the pointer.
///
/// Main thread. The latest time that it was told is where it is *seen*: a frame is composed for the time at which it
/// will be on the screen, and an event that comes meanwhile, with an earlier time, moves nothing back.
@MainActor final class SliderTrack {
    let layers: SliderTrackLayers
    weak var owner: (any TrackOwner)?
    /// The drag, which begins with the press and wins over every other recognizer.
    let pan: PanRecognizer
    let recognizers: [GestureRecognizer]

    var style: SliderTrackStyle { didSet { if style != oldValue { layers.setStyle(style, colors: style.rest) } } }
    /// Whether it takes anything; one that does not looks dimmer.
    var isEnabled = true { didSet { if isEnabled != oldValue { updateHand() } } }
    /// Whether a hand can move it.
    var isDraggable = true { didSet { if isDraggable != oldValue { updateHand() } } }

    /// The latest time that it was told.
    private(set) var seen = HostTime(nanoseconds: 0)
    /// Where the hand is, while there is one.
    private(set) var held: Double?
    private(set) var isFocused = false
    private var isHovered = false
    private var isGrown = false
    private let growth = Animated(0.0)

    init(style: SliderTrackStyle, hitMargin: Double, name: String) {
        self.style = style
        layers = SliderTrackLayers(style: style)
        layers.layer.hitMargin = hitMargin
        pan = PanRecognizer(axes: .any, name: name)
        pan.minimumTravel = 0
        pan.cancelsOthers = true
        pan.drivenByScroll = false
        recognizers = [pan]
        pan.onChange = { [weak self] _ in self?.panChanged() }
    }

    /// Whether pointer and keyboard get anything from it.
    var takesHand: Bool { isEnabled && isDraggable }

    private func updateHand() {
        layers.layer.isHitTestable = takesHand
        // Cancels a drag.
        pan.isEnabled = takesHand
        if !takesHand { hover(nil, now: seen) }
        grow()
        owner?.show()
    }

    // MARK: - Time

    /// Takes note of the time.
    func note(_ now: HostTime) { seen = max(seen, now) }

    /// Whether it grows or shrinks.
    var isGrowing: Bool { growth.isMoving }

    /// Puts everything where it is by now.
    ///
    /// - Parameter share: where the edge is while no hand has it.
    func place(at fraction: Double, colors: SliderTrackStyle.Colors) {
        growth.advance(to: LocalTime(seen))
        layers.setColors(colors)
        layers.place(
            at: held ?? fraction,
            SliderTrackLayers.Look(
                growth: growth.presentation(at: LocalTime(seen)), isDisabled: !isEnabled,
                isFocused: isFocused && takesHand))
    }

    /// When what was changed is to be drawn: at once.
    var changesDue: HostTime? { layers.isDirty ? seen : nil }

    /// Whether something was changed since this was last asked, and is to be drawn.
    func takeChanges() -> Bool {
        defer { layers.isDirty = false }
        return layers.isDirty
    }

    // MARK: - Growing

    private func grow() {
        let isGrown = takesHand && (isHovered || isFocused || held != nil)
        guard isGrown != self.isGrown else { return }
        self.isGrown = isGrown
        growth.animate(
            to: isGrown ? 1 : 0, now: LocalTime(seen), duration: max(.zero, style.growDuration), curve: .easeOut)
    }

    func setFocused(_ isFocused: Bool, now: HostTime) {
        note(now)
        self.isFocused = isFocused
        grow()
        owner?.show()
    }

    func hover(_ point: Point?, now: HostTime) {
        note(now)
        let fraction = takesHand ? point.flatMap { self.fraction(at: $0, now: now) } : nil
        guard fraction != nil || isHovered else { return }
        isHovered = fraction != nil
        grow()
        owner?.hovered(fraction, now: now)
        owner?.show()
    }

    /// Whether it, and what it is in, is enabled and shown.
    var canFocus: Bool { takesHand && layers.layer.isEffectivelyVisible }

    // MARK: - The hand

    /// Ends a drag as if the hand had been lost.
    func cancelDrag() { pan.cancel() }

    private func panChanged() {
        let now = pan.time
        note(now)
        switch pan.state {
        case .began:
            let fraction = self.fraction(at: pan.location, now: now) ?? 0
            held = fraction
            grow()
            owner?.dragBegan(fraction, now: now)
        case .changed:
            guard let before = held, let fraction = self.fraction(at: pan.location, now: now), fraction != before else {
                return
            }
            held = fraction
            owner?.dragMoved(fraction, now: now)
        case .ended:
            guard let fraction = letGo() else { return }
            owner?.dragEnded(fraction, now: now)
        case .cancelled:
            guard letGo() != nil else { return }
            owner?.dragCancelled(now: now)
        case .possible, .recognized, .failed: return
        }
        owner?.show()
    }

    private func letGo() -> Double? {
        let fraction = held
        held = nil
        grow()
        return fraction
    }

    /// Which share of the length a point of the window is at, the nearest one beyond the ends; nil for no point.
    private func fraction(at point: Point, now: HostTime) -> Double? {
        let width = layers.layer.frame.size.width
        let x = layers.layer.convert(fromWindow: point, at: LocalTime(now)).x
        guard x.isFinite else { return nil }
        return width > 0 ? (x / width).fraction : 0
    }
}
