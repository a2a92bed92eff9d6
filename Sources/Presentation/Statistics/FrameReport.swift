public import Geometry
public import Platform
public import Time

/// The summary of a run, version 1. Figures that were not measured are null.
public struct FrameReport: Codable, Sendable {
    /// Percentiles of a duration, in milliseconds, with three significant digits.
    public struct Times: Codable, Sendable {
        /// The median.
        public var p50: Double
        /// The value that 95 % do not exceed.
        public var p95: Double
        /// The value that 99 % do not exceed.
        public var p99: Double
        /// The longest.
        public var max: Double
    }

    /// The size of the window at the end, in device pixels.
    public struct Window: Codable, Sendable {
        /// The number of columns.
        public var width: Int
        /// The number of rows.
        public var height: Int
    }

    /// The film's frames.
    public struct Video: Codable, Sendable {
        /// The film's frame rate; nil if unknown.
        public var fps: Double?
        /// What decoded it at the end, and where.
        public var decoder: String?
        /// As it was coded, in pixels; nil where there is no picture.
        public var width: Int?
        /// As `width`, in rows.
        public var height: Int?
        /// Frames whose time came.
        public var due: Int
        /// Frames that were on screen, each counted once.
        public var shown: Int
        /// Frames that were never shown, because the next was due as well.
        public var dropped: Int
        /// Frames that stayed for more than half a frame too long.
        public var repeated: Int
        /// Frames brought to the GPU, each once.
        public var uploaded: Int
        /// Of those that were there, the ones made anew for another size, while the picture is on its way from one to another
        /// and the CPU draws.
        public var resized: Int
        /// Pictures, of either kind, that were resolved on the frame loop.
        public var resolved: Int
        /// How long after its time a frame was shown.
        public var lateMs: Times?

        enum CodingKeys: String, CodingKey {
            case fps, decoder, width, height, due, shown, dropped, repeated, uploaded, resized, resolved
            case lateMs = "late_ms"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(fps, forKey: .fps)
            try container.encode(decoder, forKey: .decoder)
            try container.encode(width, forKey: .width)
            try container.encode(height, forKey: .height)
            try container.encode(due, forKey: .due)
            try container.encode(shown, forKey: .shown)
            try container.encode(dropped, forKey: .dropped)
            try container.encode(repeated, forKey: .repeated)
            try container.encode(uploaded, forKey: .uploaded)
            try container.encode(resized, forKey: .resized)
            try container.encode(resolved, forKey: .resolved)
            try container.encode(lateMs, forKey: .lateMs)
        }
    }

    /// What went on screen, with a new frame of the film or without.
    public struct Present: Codable, Sendable {
        /// How many times.
        public var count: Int
        /// The time from one to the next, without pauses.
        public var intervalMs: Times?

        enum CodingKeys: String, CodingKey { case count, intervalMs = "interval_ms" }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(count, forKey: .count)
            try container.encode(intervalMs, forKey: .intervalMs)
        }
    }

    /// What windows beside the main one showed.
    public struct Floating: Codable, Sendable {
        /// What went on screen in them.
        public var present: Present
        /// What drawing them took.
        public var draw: Times?
        /// What their swaps took.
        public var swap: Times?

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(present, forKey: .present)
            try container.encode(draw, forKey: .draw)
            try container.encode(swap, forKey: .swap)
        }
    }

    /// What a frame takes, stage by stage: of those frames that go through it.
    ///
    /// `decode` and `prepare` are the time that the processor worked, on threads that nobody waits for while they keep up:
    /// their share of a frame may be longer than the frame. The others follow each other on the frame loop, and are the
    /// time that passed. What the CPU draws is drawn within `draw`; a GPU goes on by itself, and `draw` is what it took
    /// to tell it.
    public struct Cost: Codable, Sendable {
        /// Decoding, by all threads of the decoder.
        public var decode: Times?
        /// Converting and resolving to RGB, before the frame loop has it; nil where pictures go on as they were decoded.
        public var prepare: Times?
        /// Resolving to RGB on the frame loop: of pictures on their way to another size than was foreseen. Where a GPU
        /// draws, its shader does so in `draw`.
        public var resolve: Times?
        /// Bringing the picture to the GPU, or to the renderer on the CPU.
        public var upload: Times?
        /// Placing everything, and listing what is to be drawn.
        public var compose: Times?
        /// Issuing the draw calls, or drawing on the CPU.
        public var draw: Times?
        /// The swap, including its wait for the display.
        public var swap: Times?
        /// From `resolve` to `swap` together, in each frame that was shown.
        public var loop: Times?

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(decode, forKey: .decode)
            try container.encode(prepare, forKey: .prepare)
            try container.encode(resolve, forKey: .resolve)
            try container.encode(upload, forKey: .upload)
            try container.encode(compose, forKey: .compose)
            try container.encode(draw, forKey: .draw)
            try container.encode(swap, forKey: .swap)
            try container.encode(loop, forKey: .loop)
        }
    }

    /// The version of this form; grows when a key changes its meaning.
    public var version = 1
    /// The path or address of the media.
    public var file: String
    /// The renderer's name: the driver's, or the library's.
    public var renderer: String
    /// The main window.
    public var window: Window
    /// The name of the scenario that was run.
    public var scenario: String
    /// The film.
    public var video: Video
    /// The main window's frames.
    public var present: Present
    /// Nil where there was no other window.
    public var floating: Floating?
    /// The cost of each stage of a frame, in milliseconds.
    public var costMs: Cost
    /// The distance of frames from what is heard, in milliseconds; nil without audio.
    public var avOffsetMs: Times?
    /// From the start to the first frame of the film on screen, in milliseconds.
    public var firstFrameMs: Double?
    /// The processor time that the process has used, in seconds, over all threads.
    public var cpuSeconds: Double?
    /// The time that has passed, in seconds.
    public var wallSeconds: Double?
    /// The largest resident memory of the process, in MiB.
    public var peakRssMib: Double?

    enum CodingKeys: String, CodingKey {
        case version, file, renderer, window, scenario, video, present, floating
        case costMs = "cost_ms"
        case avOffsetMs = "av_offset_ms"
        case firstFrameMs = "first_frame_ms"
        case cpuSeconds = "cpu_seconds"
        case wallSeconds = "wall_seconds"
        case peakRssMib = "peak_rss_mib"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(file, forKey: .file)
        try container.encode(renderer, forKey: .renderer)
        try container.encode(window, forKey: .window)
        try container.encode(scenario, forKey: .scenario)
        try container.encode(video, forKey: .video)
        try container.encode(present, forKey: .present)
        try container.encode(floating, forKey: .floating)
        try container.encode(costMs, forKey: .costMs)
        try container.encode(avOffsetMs, forKey: .avOffsetMs)
        try container.encode(firstFrameMs, forKey: .firstFrameMs)
        try container.encode(cpuSeconds, forKey: .cpuSeconds)
        try container.encode(wallSeconds, forKey: .wallSeconds)
        try container.encode(peakRssMib, forKey: .peakRssMib)
    }

    /// Sums `log` up, with the process's use of the machine until now.
    ///
    /// - Parameters:
    ///   - decoder: what decoded, and where.
    ///   - videoSize: as the film was coded.
    ///   - due, dropped: the player's counts.
    ///   - started: when the process began, or the run, where it is not the process's first.
    ///   - before: what the process had used by then.
    public init(
        _ log: FrameLog, file: String, renderer: String, window: PixelSize, scenario: String, frameRate: Double?,
        decoder: String? = nil, videoSize: PixelSize? = nil, due: Int, dropped: Int, started: HostTime,
        before: ResourceUsage? = nil
    ) {
        let usage = ResourceUsage()
        self.file = file
        self.renderer = renderer
        self.window = Window(width: window.width, height: window.height)
        self.scenario = scenario
        video = Video(
            fps: frameRate, decoder: decoder, width: videoSize?.width, height: videoSize?.height, due: due,
            shown: log.shownCount, dropped: dropped, repeated: log.repeatedCount,
            uploaded: log.uploadCount, resized: log.resizeCount, resolved: log.resolutionCount,
            lateMs: log.lateness.summary)
        present = Present(count: log.presentCount, intervalMs: log.intervals.summary)
        if log.floatingCount > 0 {
            floating = Floating(
                present: Present(count: log.floatingCount, intervalMs: log.floatingIntervals.summary),
                draw: log.floatingDraws.summary, swap: log.floatingSwaps.summary)
        }
        costMs = Cost(
            decode: log.decodes.summary, prepare: log.preparations.summary, resolve: log.resolutions.summary,
            upload: log.uploads.summary, compose: log.compositions.summary, draw: log.draws.summary,
            swap: log.swaps.summary, loop: log.rounds.summary)
        avOffsetMs = log.audioOffsets.summary
        firstFrameMs = log.firstFrame.map { ($0 - started).inMilliseconds }
        cpuSeconds = (usage.cpuTime - (before?.cpuTime ?? .zero)).inSeconds
        wallSeconds = (HostTime.now() - started).inSeconds
        peakRssMib = Double(usage.peakMemory) / 1_048_576
    }
}

extension FrameReport {
    /// A part of what a frame takes.
    public enum Stage: String, CaseIterable, Sendable {
        case decode, prepare, resolve, upload, compose, draw, swap
    }
}

extension FrameReport.Cost {
    /// Nil where it was not measured.
    public subscript(stage: FrameReport.Stage) -> FrameReport.Times? {
        switch stage {
        case .decode: decode
        case .prepare: prepare
        case .resolve: resolve
        case .upload: upload
        case .compose: compose
        case .draw: draw
        case .swap: swap
        }
    }
}
