import GlissadeAnimation
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeTime

/// The owner of a `SliderTrack`. The track notifies it of drags and hovering. Fractions are those of the track's
/// length, 0…1.
@MainActor protocol TrackOwner: AnyObject {
    /// Called when a press begins a drag, before the pointer has moved.
    func dragBegan(_ fraction: Double, now: HostTime)
    /// Called during a drag when the dragged value changes.
    func dragMoved(_ fraction: Double, now: HostTime)
    func dragEnded(_ fraction: Double, now: HostTime)
    func dragCancelled(now: HostTime)
    /// Called when the pointer moves over the track, and when it leaves. `fraction` is the pointer's position, or nil
    /// if the pointer has left.
    func hovered(_ fraction: Double?, now: HostTime)
    /// Updates the layers by calling `SliderTrack.place`. The track calls this method when the colors or the thumb's
    /// position may have changed.
    func show()
}

/// The parts that progress bars and sliders share: the layers, dragging, and growth while hovered, focused or dragged.
///
/// Frames are composed ahead of their display time. An event that arrives before that time therefore has an earlier
/// time than the frame. Such an event must not move anything back, so `seen` keeps the latest time passed in. Main
/// thread.
@MainActor final class SliderTrack {
    let layers: SliderTrackLayers
    weak var owner: (any TrackOwner)?
    /// Recognizes drags. A drag begins with the press and cancels all other recognizers.
    let pan: PanRecognizer
    let recognizers: [GestureRecognizer]

    var style: SliderTrackStyle {
        didSet {
            if style != oldValue { layers.setStyle(style, colors: style.rest) }
            owner?.show()
        }
    }
    /// Whether the control is enabled. A disabled control takes no input and is dimmed.
    var isEnabled = true { didSet { if isEnabled != oldValue { updateInput() } } }
    /// Whether the user can drag the control. If false, the control takes no input, but is not dimmed.
    var isDraggable = true { didSet { if isDraggable != oldValue { updateInput() } } }

    /// The latest time passed in.
    private(set) var seen = HostTime(nanoseconds: 0)
    /// The dragged value, as a fraction of the track's length; nil if there is no drag.
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

    /// Whether the control takes pointer and keyboard input.
    var takesInput: Bool { isEnabled && isDraggable }

    private func updateInput() {
        layers.layer.isHitTestable = takesInput
        // This also cancels a drag.
        pan.isEnabled = takesInput
        if !takesInput { hover(nil, now: seen) }
        grow()
        owner?.show()
    }

    // MARK: - Time

    /// Sets `seen` to `now`, unless `now` is earlier than `seen`.
    func observe(_ now: HostTime) { seen = max(seen, now) }

    /// Whether the bar is changing size.
    var isGrowing: Bool { growth.isMoving }

    /// Updates the layers for the current time.
    ///
    /// - Parameter fraction: The position of the thumb; ignored during a drag.
    func place(at fraction: Double, colors: SliderTrackStyle.Colors) {
        growth.advance(to: LocalTime(seen))
        layers.setColors(colors)
        layers.place(
            at: held ?? fraction,
            SliderTrackLayers.Look(
                growth: growth.presentation(at: LocalTime(seen)), isDisabled: !isEnabled,
                isFocused: isFocused && takesInput))
    }

    /// The latest time passed in if a change has not been drawn yet; otherwise nil.
    var changesDue: HostTime? { layers.isDirty ? seen : nil }

    /// Returns whether anything has changed since the last call, and marks the changes as drawn.
    func takeChanges() -> Bool {
        defer { layers.isDirty = false }
        return layers.isDirty
    }

    // MARK: - Growing

    private func grow() {
        let isGrown = takesInput && (isHovered || isFocused || held != nil)
        guard isGrown != self.isGrown else { return }
        self.isGrown = isGrown
        growth.animate(
            to: isGrown ? 1 : 0, now: LocalTime(seen), duration: max(.zero, style.growDuration), curve: .easeOut)
    }

    func setFocused(_ isFocused: Bool, now: HostTime) {
        observe(now)
        self.isFocused = isFocused
        grow()
        owner?.show()
    }

    func hover(_ point: Point?, now: HostTime) {
        observe(now)
        let fraction = takesInput ? point.flatMap { self.fraction(at: $0, now: now) } : nil
        guard fraction != nil || isHovered else { return }
        isHovered = fraction != nil
        grow()
        owner?.hovered(fraction, now: now)
        owner?.show()
    }

    /// Whether the control takes input, and its layer and all of the layer's ancestors are visible.
    var canFocus: Bool { takesInput && layers.layer.isEffectivelyVisible }

    // MARK: - Dragging

    func cancelDrag() { pan.cancel() }

    private func panChanged() {
        let now = pan.time
        observe(now)
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
            guard let fraction = takeHeld() else { return }
            owner?.dragEnded(fraction, now: now)
        case .cancelled:
            guard takeHeld() != nil else { return }
            owner?.dragCancelled(now: now)
        case .possible, .recognized, .failed: return
        }
        owner?.show()
    }

    private func takeHeld() -> Double? {
        let fraction = held
        held = nil
        grow()
        return fraction
    }

    /// Returns the position of `point` as a fraction of the track's length, clamped to 0…1. `point` is in layout
    /// points. Returns nil if the point is not finite.
    private func fraction(at point: Point, now: HostTime) -> Double? {
        let width = layers.layer.frame.size.width
        let x = layers.layer.convert(fromLayout: point, at: LocalTime(now)).x
        guard x.isFinite else { return nil }
        return width > 0 ? (x / width).fraction : 0
    }
}
