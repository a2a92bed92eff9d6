public import Input
public import Layers
public import Time

/// A control that the keyboard can be on.
@MainActor public protocol Focusable: AnyObject {
    /// Where it is, for the order in which the keyboard goes from one to the next, and for its outline.
    var focusLayer: Layer { get }
    /// Whether it is enabled and to be seen.
    var canFocus: Bool { get }
    /// The keyboard came or went; it looks so from the next frame on.
    func setFocused(_ isFocused: Bool, now: HostTime)
    /// A key while the keyboard is on it.
    ///
    /// - Returns: whether it was for this control; if not, it goes to whoever has keys otherwise.
    func handle(_ key: KeyEvent) -> Bool
}
