public import Picture

/// A small picture of one place in a film. A value; any thread.
public struct SeekPreview: Hashable, Sendable {
    /// What was asked for, as it was asked for, from the film's beginning.
    public var place: Duration
    /// When the picture is seen in the film: its keyframe nearest to `place`.
    public var time: Duration
    /// The picture, at most as large as was requested.
    public var bitmap: Bitmap
}
