import Audio
public import Time

/// How full a player's queues are, and what works behind it, at one moment: for an overlay. A value; any thread.
public struct PlayerStatistics: Hashable, Sendable {
    /// Decoded pictures that wait for their time.
    public var frames = 0
    public var frameBytes = 0
    /// Packets that wait for the decoders.
    public var packets = 0
    public var packetBytes = 0
    /// How far ahead every stream that plays has been read; nil before there is anything.
    public var readAhead: Duration?
    /// Decoded sound that waits, beside what the server holds; nil without sound.
    public var audioAhead: Duration?
    /// How often the server ran dry.
    public var underruns = 0
    /// The share of the speed by which the clock differs from it, to catch up with the sound.
    public var clockCorrection = 0.0
    public var counts = Player.Counts()
    /// The decoders' names, as FFmpeg calls them; nil where there is none.
    public var videoDecoder: String?
    public var audioDecoder: String?
    public var decoderThreads = 0
    /// The device that the picture is decoded on; nil in software.
    public var hardwareDevice: String?
    /// How often a device has failed in the middle of the media.
    public var hardwareFailures = 0

    /// What decodes the picture, and where: `h264 (vaapi)`, `h264 (software)`; nil where nothing does.
    public var videoDecoding: String? {
        guard let videoDecoder else { return nil }
        if let hardwareDevice { return "\(videoDecoder) (\(hardwareDevice))" }
        return hardwareFailures > 0
            ? "\(videoDecoder) (software, since the hardware has failed)" : "\(videoDecoder) (software)"
    }

    public init() {}
}

extension Player {
    /// How things stand at `now`. Takes each lock once, for microseconds; the names are the only memory it needs.
    public func statistics(at now: HostTime) -> PlayerStatistics {
        var statistics = PlayerStatistics()
        let frames = pipeline.frames.fill
        let packets = pipeline.packets.fill
        statistics.frames = frames.count
        statistics.frameBytes = frames.bytes
        statistics.packets = packets.packets
        statistics.packetBytes = packets.bytes
        statistics.readAhead = packets.end.map { max(.zero, $0 - clock.time(at: now)) }
        if hasAudio, let audio = pipeline.audio {
            statistics.audioAhead = audio.queuedDuration
            statistics.underruns = audio.underrunCount
        }
        statistics.clockCorrection = clock.correction
        statistics.counts = counts
        if let work = pipeline.video?.work.withLock({ $0 }) {
            statistics.videoDecoder = work.name
            statistics.decoderThreads = work.threads
            statistics.hardwareDevice = work.device
            statistics.hardwareFailures = work.failures
        }
        statistics.audioDecoder = hasAudio ? pipeline.audioDecoder?.decoderName : nil
        return statistics
    }

    /// What is read ahead of the position at `now`, from the media's beginning; nil where nothing is. No memory is needed
    /// for it.
    public func bufferedRange(at now: HostTime) -> ClosedRange<Duration>? {
        guard let info, let end = pipeline.packets.fill.end else { return nil }
        let position = position(at: now)
        // Counted from the clock: in a later round of a loop that is ahead of the place in the media.
        let ahead = max(.zero, end - clock.time(at: now))
        let last = min(position + ahead, info.duration ?? position + ahead)
        return position...max(position, last)
    }

    /// The same as a list, for a progress bar that shows several: empty where nothing is read ahead.
    public func bufferedRanges(at now: HostTime) -> [ClosedRange<Duration>] {
        bufferedRange(at: now).map { [$0] } ?? []
    }
}
