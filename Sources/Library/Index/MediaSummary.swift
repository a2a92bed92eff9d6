public import Geometry
public import Media

/// The properties of a media file that a list shows. A value; any thread.
public struct MediaSummary: Hashable, Sendable {
    /// Nil if the container does not give it.
    public var duration: Duration?
    /// Whether there is moving video; cover art does not count.
    public var hasVideo: Bool
    /// Whether there is an audio track.
    public var hasAudio: Bool
    /// The display size of the video or cover art, in square pixels.
    public var displaySize: Size?

    /// Summarizes the result of opening a medium.
    public init(_ info: MediaInfo) {
        duration = info.duration
        hasVideo = info.videoTrack != nil && !info.isStill
        hasAudio = info.audioTrack != nil
        displaySize = info.displaySize
    }
}
