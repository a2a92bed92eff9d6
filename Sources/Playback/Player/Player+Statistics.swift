import GlissadeAudio
public import GlissadeTime

/// A snapshot of a player's queues and decoders, for the statistics overlay. A value type, usable on any thread.
public struct PlayerStatistics: Hashable, Sendable {
    /// The number of decoded frames in the queue.
    public var frames = 0
    /// The memory used by the frames in the queue, in bytes.
    public var frameBytes = 0
    /// The number of packets waiting for the decoders.
    public var packets = 0
    /// The memory used by the packets waiting for the decoders, in bytes.
    public var packetBytes = 0
    /// How far the playing streams have been read ahead of the clock; nil while one of them has no packet yet.
    public var readAhead: Duration?
    /// The duration of decoded audio in the queue, not counting the server's buffer; nil without audio.
    public var audioAhead: Duration?
    /// The number of times the sound server ran out of audio.
    public var underruns = 0
    /// The current relative change of the clock's speed that brings the clock closer to audio.
    public var clockCorrection = 0.0
    /// The factor that adapts the video's speed to the display's refresh rate; nil while no display sets the pace.
    public var displayFactor: Double?
    /// The numbers of due and dropped frames since the media was opened.
    public var counts = Player.Counts()
    /// FFmpeg's name for the video decoder; nil without a video decoder.
    public var videoDecoder: String?
    /// FFmpeg's name for the audio decoder; nil without an audio decoder.
    public var audioDecoder: String?
    /// The number of threads that decode video; 0 without a video decoder.
    public var decoderThreads = 0
    /// The name of the hardware device that decodes video; nil for software decoding.
    public var hardwareDevice: String?
    /// The number of times a hardware device has failed during playback.
    public var hardwareFailures = 0

    /// The video decoder and where it runs, such as `h264 (vaapi)` or `h264 (software)`; nil without a video decoder.
    public var videoDecoding: String? {
        guard let videoDecoder else { return nil }
        if let hardwareDevice { return "\(videoDecoder) (\(hardwareDevice))" }
        return hardwareFailures > 0
            ? "\(videoDecoder) (software; hardware failed)" : "\(videoDecoder) (software)"
    }

    public init() {}
}

extension Player {
    /// The statistics at `now`.
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

    /// The part of the media that has been read ahead, from the position at `now` on. Nil before the media is open, and
    /// while a playing stream has no packet yet. Times count from the start of the media.
    public func bufferedRange(at now: HostTime) -> ClosedRange<Duration>? {
        guard let info, let end = pipeline.packets.fill.end else { return nil }
        let position = position(at: now)
        // Relative to the clock, which keeps counting when the media repeats.
        let ahead = max(.zero, end - clock.time(at: now))
        let last = min(position + ahead, info.duration ?? position + ahead)
        return position...max(position, last)
    }

    /// The measured rate at which data arrives from a web server, in bits per second; nil if unknown, and for files.
    public var arrivalRate: Double? { pipeline.packets.rate }

    /// `bufferedRange` as a list, for a progress bar that can show several ranges; empty if `bufferedRange` is nil.
    public func bufferedRanges(at now: HostTime) -> [ClosedRange<Duration>] {
        bufferedRange(at: now).map { [$0] } ?? []
    }
}
