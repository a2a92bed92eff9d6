public import GlissadeGeometry
public import GlissadeMedia

/// The properties of a media file that the library shows.
public struct MediaSummary: Hashable, Sendable {
    /// The duration; nil if FFmpeg finds none.
    public var duration: Duration?
    /// Whether the file has a video track other than cover art.
    public var hasVideo: Bool
    /// Whether the file has an audio track.
    public var hasAudio: Bool
    /// The display size of the video or cover art, in square pixels; nil if there is neither.
    public var displaySize: Size?

    /// Summarizes a file's metadata.
    public init(_ info: MediaInfo) {
        duration = info.duration
        hasVideo = info.videoTrack != nil && !info.isStill
        hasAudio = info.audioTrack != nil
        displaySize = info.displaySize
    }
}
