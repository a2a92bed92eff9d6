/// A media key on a keyboard, headset or remote control.
public enum MediaKey: Hashable, Sendable, CaseIterable {
    case playPause, play, pause, stop, next, previous
    case volumeUp, volumeDown, mute
}
