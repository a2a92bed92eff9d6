/// The signs that an interface is made of; they are paths, drawn at the size at which they are seen.
public enum Icon: String, Hashable, Sendable, CaseIterable {
    case back, forward, chevronRight, close, more
    case play, pause
    case film, music, folder, picture, broken
    case volume, muted, brightness, fullscreen, leaveFullscreen, information
}
