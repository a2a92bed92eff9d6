public import GlissadeInput
public import GlissadeLayers
public import GlissadeTime

/// A control that can have the keyboard focus.
@MainActor public protocol Focusable: AnyObject {
    /// The control's layer.
    var focusLayer: Layer { get }
    /// Whether the control can have the focus: it is enabled and visible.
    var canFocus: Bool { get }
    /// Called when the control gains or loses the focus. The control must show the change in the next frame.
    func setFocused(_ isFocused: Bool, now: HostTime)
    /// Handles a key while the control has the focus.
    ///
    /// - Returns: Whether the control used the key. If not, other handlers get the key.
    func handle(_ key: KeyEvent) -> Bool
}
