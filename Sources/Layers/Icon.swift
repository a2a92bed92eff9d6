/// The icons of the interface. They are paths, rasterized at the size at which they are drawn.
public enum Icon: String, Hashable, Sendable, CaseIterable {
    case back, forward, chevronRight, close, more
    case play, pause
    case previous, next, rewind10, forward10, repeatOnce, speed
    case film, music, folder, picture, broken
    /// Rows stacked vertically, and large cards stacked vertically.
    case list, cards
    case volume, volumeLow, muted, brightness, fullscreen, leaveFullscreen, floating, information
    case tracks, camera, gear, keyboard, lock, unlock, check
    /// The outline of the inscribed circle, two points wide at any size.
    case ring
}
