public import Time

/// How precisely a seek reaches its target. The mode matters only for video: without video, every seek is exact.
public enum SeekMode: Hashable, Sendable {
    /// Seeks to the frame displayed at the target, decoding from the keyframe before it.
    case exact
    /// Seeks to the keyframe nearest to the target. If there is no index, seeks to wherever the demuxer lands near the
    /// target.
    case fast
    /// Seeks to the keyframe nearest to the target among those beyond `from` in the target's direction, so that a step
    /// always moves the position. If there is no such keyframe, seeks exactly.
    case step(from: MediaTime)
}
