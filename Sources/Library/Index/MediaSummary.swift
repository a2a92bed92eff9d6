public import Geometry
public import Media

/// What a list shows about a media file. A value; any thread.
public struct MediaSummary: Hashable, Sendable {
    /// Nil if the container does not give it.
    public var duration: Duration?
    /// Whether there is moving video; cover art does not count.
    public var hasVideo: Bool
    /// Whether an audio track is in it.
    public var hasAudio: Bool
    /// The display size of the video or cover art, in square pixels.
    public var displaySize: Size?

    /// A summary of what opening a medium has told.
    public init(_ info: MediaInfo) {
        duration = info.duration
        hasVideo = info.videoTrack != nil && !info.isStill
        hasAudio = info.audioTrack != nil
        displaySize = info.displaySize
    }
}
