import GlissadeGeometry
import GlissadeMedia
import GlissadePresentation

extension StatisticsOverlay {
    /// The figures that the panel shows. A figure that is unknown or does not apply is nil.
    struct Figures: Equatable, Sendable {
        /// The name of the file.
        var file: String?
        /// FFmpeg's short name of the container format.
        var container: String?
        /// FFmpeg's short name of the video codec, with the profile.
        var videoCodec: String?
        /// FFmpeg's short name of the pixel format.
        var pixelFormat: String?
        /// The video decoder and where it runs, such as `h264 (vaapi)`.
        var decoder: String?
        /// The audio codec, sample rate and channel layout.
        var audioCodec: String?
        /// The video's coded size in pixels.
        var codedSize: PixelSize?
        /// The video's size on the screen, in device pixels.
        var shownSize: PixelSize?
        /// The window's size in device pixels.
        var windowSize: PixelSize?
        /// The frame rate of the file's video, in frames per second.
        var frameRate: Double?
        /// The playback speed; 1 is normal.
        var speed: Double?
        /// The measured refresh rate of the display, in Hz.
        var refreshRate: Double?
        /// The factor that adapts the speed to the display's refresh rate; nil while audio sets the pace.
        var displayFactor: Double?
        /// How far the video was ahead of the audio when the last frame was shown; negative if it was behind.
        var audioOffset: Duration?
        /// The number of video frames that have been due since the start of the program.
        var due: Int?
        /// The number of due video frames that have been dropped since the start of the program.
        var dropped: Int?
        /// The number of decoded frames in the queue.
        var queuedFrames: Int?
        /// The memory used by the queued frames and packets, in bytes.
        var queuedBytes: Int?
        /// The number of subtitle lines skipped because they take too long to render.
        var leftOutLines: Int?
        var renderer: String?

        init() {}

        /// Creates the figures with the file's name and, once the file is open, its properties. The other figures are
        /// nil.
        ///
        /// - Parameters:
        ///   - file: The name of the file.
        ///   - info: The file's properties; nil while the file is being opened.
        init(file: String, info: MediaInfo?) {
            self.file = file
            guard let info else { return }
            // FFmpeg lists all formats that a demuxer reads. The first is the most common one.
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

    /// Statistics of the last second's frames: the intervals between them, and the time spent in each stage. A property
    /// is nil if there is no data for it.
    struct Costs: Equatable, Sendable {
        var interval: RecentFrames.Times?
        var upload: RecentFrames.Times?
        var draw: RecentFrames.Times?
        var swap: RecentFrames.Times?
    }
}
