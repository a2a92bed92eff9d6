public import Time

/// The precision of a seek.
public enum SeekMode: Hashable, Sendable {
    /// Seeks to the frame displayed at the target, decoding from the keyframe before it.
    case exact
    /// Seeks to the keyframe nearest to the target.
    case fast
    /// Seeks to the keyframe nearest to the target, but only beyond `from` in the target's direction, so that a step
    /// always moves. Seeks exactly if there is no such keyframe.
    case step(from: MediaTime)
}
