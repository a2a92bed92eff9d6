public import Input

/// Recognizes a horizontal scroll that begins while certain modifier keys are held. The keys give the wheel a second
/// function.
///
/// Like any other pan, it takes precedence over `PopPanRecognizer`, which drags a page away.
public final class WheelPanRecognizer: PanRecognizer {
    /// The modifiers that must be held when the scroll begins. Additional ones are allowed.
    public var modifiers: Modifiers

    public init(modifiers: Modifiers = .shift, name: String = "wheel") {
        self.modifiers = modifiers
        super.init(axes: .horizontal, name: name)
    }

    /// The number of wheel notches since the scroll began; positive to the right.
    public var notches: Double { translation.x / GestureArbiter.pointsPerNotch }

    public override func pressed(_ event: PointerEvent) {
        super.pressed(event)
        if !isScrolling || !event.modifiers.isSuperset(of: modifiers) { fail() }
    }
}
