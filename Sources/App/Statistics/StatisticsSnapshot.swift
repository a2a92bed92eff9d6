import Geometry
import Media
import Presentation

extension StatisticsOverlay {
    /// What the panel is told; what is not known, or not measured, is nil and has no place in it.
    struct Figures: Equatable, Sendable {
        /// The file's name.
        var file: String?
        /// Short names, as FFmpeg has them.
        var container: String?
        var videoCodec: String?
        var pixelFormat: String?
        /// What decodes the picture, and where.
        var decoder: String?
        var audioCodec: String?
        /// As it was coded.
        var codedSize: PixelSize?
        /// In which it is seen, in device pixels.
        var shownSize: PixelSize?
        var windowSize: PixelSize?
        /// Frames a second that the media has.
        var frameRate: Double?
        /// Media seconds a second.
        var speed: Double?
        /// Positive where the picture is ahead of the sound.
        var audioOffset: Duration?
        /// Frames whose time came, and those of them that were passed over.
        var due: Int?
        var dropped: Int?
        /// Decoded frames that wait, and how many may.
        var queuedFrames: Int?
        var mostFrames: Int?
        /// Undecoded data that waits, in bytes.
        var queuedBytes: Int?
        /// Lines of subtitles that are left out, because they take too long to draw.
        var leftOutLines: Int?
        /// What draws.
        var renderer: String?

        init() {}

        /// What opening a media tells.
        init(file: String, info: MediaInfo?) {
            self.file = file
            guard let info else { return }
            // FFmpeg names all that a demuxer reads; the first is what it is.
            container = info.container.split(separator: ",").first.map(String.init)
            frameRate = info.isStill ? nil : info.frameRate
            if let track = info.videoTrack.map({ info.tracks[$0] }) {
                videoCodec = track.profile.map { "\(track.codec) \($0)" } ?? track.codec
                pixelFormat = track.sampleFormat
                if case .video(let size, _, _, _) = track.kind { codedSize = size }
            }
            if let track = info.audioTrack.map({ info.tracks[$0] }), case .audio(let rate, let layout) = track.kind {
                audioCodec = "\(track.codec)  \(StatisticsText.number(Double(rate) / 1000, 1)) kHz  \(layout)"
            }
        }
    }

    /// What frames took within the last second.
    struct Costs: Equatable, Sendable {
        var interval: RecentFrames.Times?
        var upload: RecentFrames.Times?
        var draw: RecentFrames.Times?
        var swap: RecentFrames.Times?
    }
}
