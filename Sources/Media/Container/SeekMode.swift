public import Time

/// How exactly a seek lands.
public enum SeekMode: Hashable, Sendable {
    /// On the frame that is on show at the target: decodes from the keyframe before it.
    case exact
    /// On the keyframe nearest to the target, at once.
    case fast
    /// On the keyframe nearest to the target that lies beyond `from` in the target's direction, so that a step always
    /// goes somewhere; exactly, where there is no such keyframe.
    case step(from: MediaTime)
}
