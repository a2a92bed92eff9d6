/// A gesture on a video. The raw value is the gesture's name in the settings.
public enum VideoGesture: String, Hashable, Sendable, CaseIterable {
    /// A click that shows or hides the controls.
    case click
    /// A double click that toggles fullscreen.
    case doubleClick = "double-click"
    /// A double click in the left quarter that skips back. If this gesture is disabled, the quarter behaves like the
    /// middle.
    case doubleClickLeft = "double-click-left"
    /// A double click in the right quarter that skips forward. If this gesture is disabled, the quarter behaves like
    /// the middle.
    case doubleClickRight = "double-click-right"
    /// A drag to the right that pulls the page aside to go back. The navigation stack performs this gesture if
    /// `VideoGestures.allows` returns true.
    case popDrag = "pop-drag"
    /// A drag to the left that pulls in the trailing page. The navigation stack performs this gesture if
    /// `VideoGestures.allows` returns true.
    case trailingDrag = "bound-drag"
    /// A vertical drag in the left half that changes the brightness.
    case brightnessDrag = "brightness-drag"
    /// A vertical drag in the right half, or with two fingers anywhere, that changes the volume.
    case volumeDrag = "volume-drag"
    /// A drag down from the middle third that takes a video out of fullscreen. If this gesture is disabled, or
    /// `VideoGestures.canDismiss` does not return true, such a drag changes the brightness or the volume.
    case dismissDrag = "dismiss-drag"
    /// A long press that plays at double speed until the pointer is released.
    case longPress = "long-press"
    /// A vertical scroll that changes the volume.
    case wheel
    /// A horizontal scroll, or a vertical scroll with Shift, that seeks.
    case horizontalWheel = "horizontal-wheel"
    /// A two-finger pinch that fits the video into the window, or fills the window with the video.
    case pinch
}
