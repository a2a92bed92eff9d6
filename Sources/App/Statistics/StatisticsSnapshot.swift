import Geometry
import Media
import Presentation

extension StatisticsOverlay {
    /// The figures for the panel. A figure that is unknown or does not apply is nil.
    struct Figures: Equatable, Sendable {
        /// The name of the file.
        var file: String?
        /// FFmpeg's short name of the container format.
        var container: String?
        /// FFmpeg's short name of the video codec, with the profile.
        var videoCodec: String?
        /// FFmpeg's short name of the pixel format.
        var pixelFormat: String?
        /// The video decoder and its device.
        var decoder: String?
        /// The audio codec, sample rate and channel layout.
        var audioCodec: String?
        /// The video's coded size.
        var codedSize: PixelSize?
        /// The video's size on the screen, in device pixels.
        var shownSize: PixelSize?
        /// The window's size in device pixels.
        var windowSize: PixelSize?
        /// The file's frames per second.
        var frameRate: Double?
        /// The playback speed.
        var speed: Double?
        /// The measured refresh rate of the display, in Hz.
        var refreshRate: Double?
        /// The factor by which the speed is adjusted to the display's refresh rate; nil while audio sets the pace.
        var displayFactor: Double?
        /// The time by which the video is ahead of the audio; negative if it is behind.
        var audioOffset: Duration?
        /// The number of frames that were due.
        var due: Int?
        /// The number of due frames that were dropped.
        var dropped: Int?
        /// The number of decoded frames in the queue.
        var queuedFrames: Int?
        /// The queue's capacity in frames.
        var mostFrames: Int?
        /// The size of the queued frames and packets, in bytes.
        var queuedBytes: Int?
        /// The number of subtitle lines that are skipped because they take too long to render.
        var leftOutLines: Int?
        /// The name of the renderer.
        var renderer: String?

        init() {}

        /// Sets the figures that are known once the file is open.
        init(file: String, info: MediaInfo?) {
            self.file = file
            guard let info else { return }
            // FFmpeg lists all formats that a demuxer reads; the first is the most common one.
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

    /// The intervals between the frames of the last second, and the time that each stage took.
    struct Costs: Equatable, Sendable {
        var interval: RecentFrames.Times?
        var upload: RecentFrames.Times?
        var draw: RecentFrames.Times?
        var swap: RecentFrames.Times?
    }
}
