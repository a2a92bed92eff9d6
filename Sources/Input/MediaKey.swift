/// A key that is there for players, on a keyboard, a headset or a remote control.
public enum MediaKey: Hashable, Sendable, CaseIterable {
    case playPause, play, pause, stop, next, previous
    case volumeUp, volumeDown, mute
}
