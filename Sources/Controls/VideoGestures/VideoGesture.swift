/// What a hand can do on a video. The raw values are the names that settings call them by.
public enum VideoGesture: String, Hashable, Sendable, CaseIterable {
    /// Shows or hides the controls.
    case click
    /// Goes to fullscreen and back.
    case doubleClick = "double-click"
    /// In the outer quarter at the left: goes back. Turned off, that quarter is like the middle.
    case doubleClickLeft = "double-click-left"
    /// In the outer quarter at the right: goes on. Turned off, that quarter is like the middle.
    case doubleClickRight = "double-click-right"
    /// To the right: draws the page aside. It belongs to the page's stack, which asks `VideoGestures.allows` about it.
    case popDrag = "pop-drag"
    /// To the left: pulls the bound page in. It belongs to the page's stack, as `popDrag` does.
    case boundDrag = "bound-drag"
    /// Up or down in the left half: makes the picture brighter or darker.
    case brightnessDrag = "brightness-drag"
    /// Up or down in the right half: makes the sound louder or quieter.
    case volumeDrag = "volume-drag"
    /// Down from the middle third: draws what is fullscreen down, and out of it. Only where that can be
    /// (`VideoGestures.canDismiss`); turned off, the middle is like the halves.
    case dismissDrag = "dismiss-drag"
    /// Plays at double speed while it lasts.
    case longPress = "long-press"
    /// Changes the volume.
    case wheel
    /// Seeks.
    case horizontalWheel = "horizontal-wheel"
    /// Two fingers: fits the picture into the window, or fills the window with it.
    case pinch
}
