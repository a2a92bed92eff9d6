/// The gestures on a video. The raw values are the gestures' names in the settings.
public enum VideoGesture: String, Hashable, Sendable, CaseIterable {
    /// Shows or hides the controls.
    case click
    /// Toggles fullscreen.
    case doubleClick = "double-click"
    /// Skips back, in the left quarter. If disabled, that quarter behaves like the middle.
    case doubleClickLeft = "double-click-left"
    /// Skips forward, in the right quarter. If disabled, that quarter behaves like the middle.
    case doubleClickRight = "double-click-right"
    /// A drag to the right that pulls the page aside. The page's stack performs it, after asking
    /// `VideoGestures.allows`.
    case popDrag = "pop-drag"
    /// A drag to the left that pulls in the trailing page. The page's stack performs it, as for `popDrag`.
    case trailingDrag = "bound-drag"
    /// A vertical drag in the left half that changes the brightness.
    case brightnessDrag = "brightness-drag"
    /// A vertical drag in the right half that changes the volume.
    case volumeDrag = "volume-drag"
    /// A drag down from the middle third that takes a video out of fullscreen, where `VideoGestures.canDismiss` allows
    /// it. If disabled, such a drag changes a level instead.
    case dismissDrag = "dismiss-drag"
    /// Plays at double speed while the pointer is held down.
    case longPress = "long-press"
    /// Changes the volume by vertical scrolling.
    case wheel
    /// Seeks by horizontal scrolling, or by vertical scrolling with Shift.
    case horizontalWheel = "horizontal-wheel"
    /// A pinch with two fingers that fits the video into the window, or fills the window with it.
    case pinch
}
