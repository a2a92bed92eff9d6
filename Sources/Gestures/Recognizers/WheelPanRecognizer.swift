public import GlissadeInput

/// Recognizes a horizontal scroll that begins while certain modifier keys are held.
public final class WheelPanRecognizer: PanRecognizer {
    /// The modifiers that must be held when the scroll begins. Additional modifiers are allowed.
    public var modifiers: Modifiers

    public init(modifiers: Modifiers = .shift, name: String = "wheel") {
        self.modifiers = modifiers
        super.init(axes: .horizontal, name: name)
    }

    /// The number of wheel notches scrolled since the scroll began; positive to the right.
    public var notches: Double { translation.x / GestureArbiter.pointsPerNotch }

    public override func pressed(_ event: PointerEvent) {
        super.pressed(event)
        if !isScrolling || !event.modifiers.isSuperset(of: modifiers) { fail() }
    }
}
