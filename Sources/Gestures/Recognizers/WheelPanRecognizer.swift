public import Input

/// A pan driven only by horizontal scrolls while certain modifier keys are held, which gives the wheel another
/// function.
///
/// Like any pan, it takes precedence over the pop pan.
public final class WheelPanRecognizer: PanRecognizer {
    /// The modifiers that must be held when the scroll begins. Others may be held as well.
    public var modifiers: Modifiers

    public init(modifiers: Modifiers = .shift, name: String = "wheel") {
        self.modifiers = modifiers
        super.init(axes: .horizontal, name: name)
    }

    /// The number of notches since the scroll began, positive to the right.
    public var notches: Double { translation.x / GestureArbiter.pointsPerNotch }

    public override func pressed(_ event: PointerEvent) {
        super.pressed(event)
        if !isScrolling || !event.modifiers.isSuperset(of: modifiers) { fail() }
    }
}
