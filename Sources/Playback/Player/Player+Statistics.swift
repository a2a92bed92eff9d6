import Audio
public import Time

/// The state of a player's queues and its decoders at one moment, for an overlay. A value; any thread.
public struct PlayerStatistics: Hashable, Sendable {
    /// Decoded frames in the queue.
    public var frames = 0
    /// Their memory, in bytes.
    public var frameBytes = 0
    /// Packets waiting for the decoders.
    public var packets = 0
    /// Their memory, in bytes.
    public var packetBytes = 0
    /// How far every playing stream has been read ahead; nil if nothing is.
    public var readAhead: Duration?
    /// Decoded audio in the queue, not counting the server's buffer; nil without audio.
    public var audioAhead: Duration?
    /// How often the server ran out of audio.
    public var underruns = 0
    /// The clock's relative change of speed to catch up with audio.
    public var clockCorrection = 0.0
    /// The factor on the film's speed while its display leads; nil while audio leads.
    public var displayFactor: Double?
    /// Frames that were due and that were dropped since the media was opened.
    public var counts = Player.Counts()
    /// FFmpeg's name of the video decoder; nil without one.
    public var videoDecoder: String?
    /// FFmpeg's name of the audio decoder; nil without one.
    public var audioDecoder: String?
    /// The number of threads that decode video; 0 without a decoder.
    public var decoderThreads = 0
    /// The device that decodes video; nil for software.
    public var hardwareDevice: String?
    /// How often a device has failed during playback.
    public var hardwareFailures = 0

    /// The video decoder and where it runs: `h264 (vaapi)`, `h264 (software)`; nil without one.
    public var videoDecoding: String? {
        guard let videoDecoder else { return nil }
        if let hardwareDevice { return "\(videoDecoder) (\(hardwareDevice))" }
        return hardwareFailures > 0
            ? "\(videoDecoder) (software; hardware failed)" : "\(videoDecoder) (software)"
    }

    public init() {}
}

extension Player {
    /// The statistics at `now`. Takes each lock once, for microseconds, and allocates only the names.
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
        statistics.displayFactor = hasAudio && !audioFollowsDisplay ? nil : displayFactor
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

    /// The range read ahead of the position at `now`, from the start of the media; nil if there is none. Does not
    /// allocate.
    public func bufferedRange(at now: HostTime) -> ClosedRange<Duration>? {
        guard let info, let end = pipeline.packets.fill.end else { return nil }
        let position = position(at: now)
        // Counted from the clock: in a later round of a loop, that is ahead of the position in the media.
        let ahead = max(.zero, end - clock.time(at: now))
        let last = min(position + ahead, info.duration ?? position + ahead)
        return position...max(position, last)
    }

    /// The same as a list, for a progress bar that shows several ranges; empty if nothing is read ahead.
    public func bufferedRanges(at now: HostTime) -> [ClosedRange<Duration>] {
        bufferedRange(at: now).map { [$0] } ?? []
    }
}
