/// The signs that an interface is made of; they are paths, drawn at the size at which they are seen.
public enum Icon: String, Hashable, Sendable, CaseIterable {
    case back, forward, chevronRight, close, more
    case play, pause
    case previous, next, rewind10, forward10, repeatOnce, speed
    case film, music, folder, picture, broken
    /// One below the other, and one large above the other.
    case list, cards
    case volume, volumeLow, muted, brightness, fullscreen, leaveFullscreen, floating, information
    case tracks, camera, gear, keyboard, lock, unlock, check
    /// The outline of the circle that fills the square, two points wide in any size.
    case ring
}
