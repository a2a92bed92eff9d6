public import Geometry
public import Media

/// What a list says of a medium. A value; any thread.
public struct MediaSummary: Hashable, Sendable {
    /// Nil where the container does not say.
    public var duration: Duration?
    /// Whether there are moving pictures in it: a cover does not make a film.
    public var hasVideo: Bool
    /// Whether an audio track is in it.
    public var hasAudio: Bool
    /// The size at which its video or its cover is to be seen, in square pixels.
    public var displaySize: Size?

    /// A summary of what opening a medium has told.
    public init(_ info: MediaInfo) {
        duration = info.duration
        hasVideo = info.videoTrack != nil && !info.isStill
        hasAudio = info.audioTrack != nil
        displaySize = info.displaySize
    }
}
