package import GlissadePicture

/// A small picture of a film at one position.
package struct SeekPreview: Hashable, Sendable {
    /// The requested position, from the film's start.
    package var place: Duration
    /// The position of the keyframe that the picture shows, from the film's start.
    package var time: Duration
    /// The picture, no larger than `SeekPreviews.pointSize` at the display scale.
    package var bitmap: Bitmap
}
