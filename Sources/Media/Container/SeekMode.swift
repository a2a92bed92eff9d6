public import GlissadeTime

/// How precisely a seek reaches its target. The mode matters only for video: without video, every seek is exact.
public enum SeekMode: Hashable, Sendable {
    /// Seeks to the frame displayed at the target. Decoding starts at the preceding keyframe.
    case exact
    /// Seeks to the keyframe nearest to the target. If there is no index, the demuxer chooses a position near the
    /// target.
    case fast
    /// Like `fast`, but considers only keyframes beyond `from` in the target's direction, so that every step moves the
    /// position. If there is no such keyframe, seeks exactly.
    case step(from: MediaTime)
}
