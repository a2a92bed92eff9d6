public import Picture

/// A small picture of one position in a film. A value; any thread.
public struct SeekPreview: Hashable, Sendable {
    /// The requested position, from the film's start.
    public var place: Duration
    /// The picture's own time: that of the keyframe nearest to `place`.
    public var time: Duration
    /// The picture, no larger than the requested size.
    public var bitmap: Bitmap
}
