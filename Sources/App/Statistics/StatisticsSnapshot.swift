import Geometry
import Media
import Presentation

extension StatisticsOverlay {
    /// The figures of the panel. Nil means unknown, and is not shown.
    struct Figures: Equatable, Sendable {
        /// The file's name.
        var file: String?
        /// FFmpeg's short names.
        var container: String?
        var videoCodec: String?
        var pixelFormat: String?
        /// The video decoder and its device.
        var decoder: String?
        var audioCodec: String?
        /// The coded size.
        var codedSize: PixelSize?
        /// The size on the screen in device pixels.
        var shownSize: PixelSize?
        var windowSize: PixelSize?
        /// The file's frames per second.
        var frameRate: Double?
        /// The playback speed.
        var speed: Double?
        /// The measured refresh rate of the display, in Hz.
        var refreshRate: Double?
        /// The factor on the speed while the display sets the pace; nil while audio does.
        var displayFactor: Double?
        /// Positive if the video is ahead of the audio.
        var audioOffset: Duration?
        /// Frames that were due, and those of them that were dropped.
        var due: Int?
        var dropped: Int?
        /// Queued decoded frames, and the queue's capacity.
        var queuedFrames: Int?
        var mostFrames: Int?
        /// Queued data in bytes.
        var queuedBytes: Int?
        /// Subtitle lines that are skipped because they take too long to draw.
        var leftOutLines: Int?
        /// The renderer's name.
        var renderer: String?

        init() {}

        /// The figures that are known once the file is open.
        init(file: String, info: MediaInfo?) {
            self.file = file
            guard let info else { return }
            // FFmpeg lists all formats of a demuxer; the first is the usual one.
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

    /// The cost of frames within the last second.
    struct Costs: Equatable, Sendable {
        var interval: RecentFrames.Times?
        var upload: RecentFrames.Times?
        var draw: RecentFrames.Times?
        var swap: RecentFrames.Times?
    }
}
