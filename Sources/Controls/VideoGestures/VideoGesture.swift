/// The gestures on a video. Raw values are their names in the settings.
public enum VideoGesture: String, Hashable, Sendable, CaseIterable {
    /// Shows or hides the controls.
    case click
    /// Toggles fullscreen.
    case doubleClick = "double-click"
    /// In the left quarter: skips back. If disabled, that quarter behaves like the middle.
    case doubleClickLeft = "double-click-left"
    /// In the right quarter: skips forward. If disabled, that quarter behaves like the middle.
    case doubleClickRight = "double-click-right"
    /// To the right: pulls the page aside. Performed by the page's stack, which asks `VideoGestures.allows`.
    case popDrag = "pop-drag"
    /// To the left: pulls in the trailing page. Performed by the page's stack, like `popDrag`.
    case trailingDrag = "bound-drag"
    /// Up or down in the left half: changes the brightness.
    case brightnessDrag = "brightness-drag"
    /// Up or down in the right half: changes the volume.
    case volumeDrag = "volume-drag"
    /// Down from the middle third: drags a fullscreen video down and out of fullscreen. Only where that is possible
    /// (`VideoGestures.canDismiss`); if disabled, the middle behaves like the halves.
    case dismissDrag = "dismiss-drag"
    /// Plays at double speed while held.
    case longPress = "long-press"
    /// Changes the volume.
    case wheel
    /// Seeks.
    case horizontalWheel = "horizontal-wheel"
    /// Two fingers: fits the video into the window, or fills the window.
    case pinch
}
