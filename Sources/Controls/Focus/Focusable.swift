public import Input
public import Layers
public import Time

/// A control that can have the keyboard focus.
@MainActor public protocol Focusable: AnyObject {
    /// Its layer, for the focus order and the outline.
    var focusLayer: Layer { get }
    /// Whether it is enabled and visible.
    var canFocus: Bool { get }
    /// Shows, from the next frame on, that the focus was gained or lost.
    func setFocused(_ isFocused: Bool, now: HostTime)
    /// Handles a key while focused.
    ///
    /// - Returns: Whether it used the key; if not, the key goes to its other handlers.
    func handle(_ key: KeyEvent) -> Bool
}
