import Host
public import Motion

/// The summary of a run, version 1. Figures that were not measured are null.
public struct FrameReport: Codable, Sendable {
    public struct Times: Codable, Sendable {
        public var p50: Double
        public var p95: Double
        public var p99: Double
        public var max: Double
    }

    public struct Window: Codable, Sendable {
        public var width: Int
        public var height: Int
    }

    public struct Video: Codable, Sendable {
        public var fps: Double?
        /// What decoded it at the end, and where.
        public var decoder: String?
        public var due: Int
        public var shown: Int
        public var dropped: Int
        public var repeated: Int
        /// Pictures brought to the GPU.
        public var uploaded: Int
        public var lateMs: Times?

        enum CodingKeys: String, CodingKey {
            case fps, decoder, due, shown, dropped, repeated, uploaded
            case lateMs = "late_ms"
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(fps, forKey: .fps)
            try container.encode(decoder, forKey: .decoder)
            try container.encode(due, forKey: .due)
            try container.encode(shown, forKey: .shown)
            try container.encode(dropped, forKey: .dropped)
            try container.encode(repeated, forKey: .repeated)
            try container.encode(uploaded, forKey: .uploaded)
            try container.encode(lateMs, forKey: .lateMs)
        }
    }

    public struct Present: Codable, Sendable {
        public var count: Int
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
        public var present: Present
        public var draw: Times?
        public var swap: Times?

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(present, forKey: .present)
            try container.encode(draw, forKey: .draw)
            try container.encode(swap, forKey: .swap)
        }
    }

    public struct Cost: Codable, Sendable {
        public var upload: Times?
        public var draw: Times?
        public var swap: Times?

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(upload, forKey: .upload)
            try container.encode(draw, forKey: .draw)
            try container.encode(swap, forKey: .swap)
        }
    }

    public var version = 1
    public var file: String
    public var renderer: String
    public var window: Window
    public var scenario: String
    public var video: Video
    public var present: Present
    /// Nil where there was no other window.
    public var floating: Floating?
    public var costMs: Cost
    public var avOffsetMs: Times?
    public var firstFrameMs: Double?
    public var cpuSeconds: Double?
    public var wallSeconds: Double?
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
    ///   - due, dropped: the player's counts.
    ///   - started: when the process began.
    public init(
        _ log: FrameLog, file: String, renderer: String, window: PixelSize, scenario: String, frameRate: Double?,
        decoder: String? = nil, due: Int, dropped: Int, started: HostTime
    ) {
        let usage = ProcessUsage()
        self.file = file
        self.renderer = renderer
        self.window = Window(width: window.width, height: window.height)
        self.scenario = scenario
        video = Video(
            fps: frameRate, decoder: decoder, due: due, shown: log.shownCount, dropped: dropped,
            repeated: log.repeatedCount,
            uploaded: log.uploadCount, lateMs: log.lateness.summary)
        present = Present(count: log.presentCount, intervalMs: log.intervals.summary)
        if log.floatingCount > 0 {
            floating = Floating(
                present: Present(count: log.floatingCount, intervalMs: log.floatingIntervals.summary),
                draw: log.floatingDraws.summary, swap: log.floatingSwaps.summary)
        }
        costMs = Cost(upload: log.uploads.summary, draw: log.draws.summary, swap: log.swaps.summary)
        avOffsetMs = log.soundOffsets.summary
        firstFrameMs = log.firstFrame.map { ($0 - started).inMilliseconds }
        cpuSeconds = usage.cpuTime.inSeconds
        wallSeconds = (HostTime.now() - started).inSeconds
        peakRssMib = Double(usage.peakMemory) / 1_048_576
    }
}
