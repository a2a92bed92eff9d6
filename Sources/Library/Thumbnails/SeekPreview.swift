public import Picture

/// A small picture of a film at one position. A value; any thread.
public struct SeekPreview: Hashable, Sendable {
    /// The requested position, from the film's start.
    public var place: Duration
    /// The position that the picture shows, from the film's start: that of the keyframe nearest to `place`.
    public var time: Duration
    /// The picture, no larger than `SeekPreviews.pointSize` at the display scale.
    public var bitmap: Bitmap
}
