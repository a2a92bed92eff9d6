/// An icon of the user interface. Icons are paths, rasterized at the size at which they are drawn.
public enum Icon: String, Hashable, Sendable, CaseIterable {
    case back, forward, chevronRight, close, more
    case play, pause
    case previous, next, rewind10, forward10, repeatOnce, speed
    case film, music, folder, picture, broken
    /// The icons for the two views of the library: a list of rows, and large cards.
    case list, cards
    case volume, volumeLow, muted, brightness, fullscreen, leaveFullscreen, floating, information
    case tracks, comments, camera, gear, keyboard, lock, unlock, check
    /// A circle that fills the icon's square, drawn as an outline two points wide at any size.
    case ring
}
