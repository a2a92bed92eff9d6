package import GlissadeGeometry
package import GlissadeMedia

/// The properties of a media file that the library shows.
package struct MediaSummary: Hashable, Sendable {
    /// The duration; nil if FFmpeg finds none.
    package var duration: Duration?
    /// Whether the file has a video track other than cover art.
    package var hasVideo: Bool
    /// Whether the file has an audio track.
    package var hasAudio: Bool
    /// The display size of the video or cover art, in square pixels; nil if there is neither.
    package var displaySize: Size?

    /// Summarizes a file's metadata.
    package init(_ info: MediaInfo) {
        duration = info.duration
        hasVideo = info.videoTrack != nil && !info.isStill
        hasAudio = info.audioTrack != nil
        displaySize = info.displaySize
    }
}
