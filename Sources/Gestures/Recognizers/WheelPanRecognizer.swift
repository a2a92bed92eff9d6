public import Input

/// A pan that scrolls alone drive, sideways, while certain keys are held: the wheel for something else than what a scroll
/// there draws otherwise.
///
/// Like any pan it goes before the pop pan.
public final class WheelPanRecognizer: PanRecognizer {
    /// What has to be held when the scroll begins; more may be.
    public var modifiers: Modifiers

    public init(modifiers: Modifiers = .shift, name: String = "wheel") {
        self.modifiers = modifiers
        super.init(axes: .horizontal, name: name)
    }

    /// How many notches it went since the scroll began, to the right.
    public var notches: Double { translation.x / GestureArbiter.pointsPerNotch }

    public override func pressed(_ event: PointerEvent) {
        super.pressed(event)
        if !isScrolling || !event.modifiers.isSuperset(of: modifiers) { fail() }
    }
}
