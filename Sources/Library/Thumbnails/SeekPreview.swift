public import GlissadePicture

/// A small picture of a film at one position.
public struct SeekPreview: Hashable, Sendable {
    /// The requested position, from the film's start.
    public var place: Duration
    /// The position of the keyframe that the picture shows, from the film's start.
    public var time: Duration
    /// The picture, no larger than `SeekPreviews.pointSize` at the display scale.
    public var bitmap: Bitmap
}
