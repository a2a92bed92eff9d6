import GlissadeAudio
import GlissadeCFFmpeg
import Glibc
import GlissadeMedia
import GlissadeTime

/// Converts decoded audio to the output's sample rate, channels and sample format, and changes its tempo without
/// changing its pitch.
///
/// Confined to the audio decoder's thread. Reconfigured when the input format, output format or speed changes, or when
/// media time jumps. Timestamps that only jitter or drift do not interrupt the samples: see `SampleTimeline`.
struct Resampler: ~Copyable {
    /// Converted samples, valid only during the call that delivers them.
    struct Chunk {
        var samples: UnsafeBufferPointer<Float>
        var format: AudioFormat
        /// The media time of the first sample, in nanoseconds.
        var time: Int64
        /// The speed, in media seconds per second of output.
        var speed: Double
    }

    private struct Setup: Equatable {
        var rate: CInt
        var sampleFormat: CInt
        var channels: CInt
        var channelMask: UInt64
        var target: AudioFormat
        var speed: Double

        /// The number of input samples per channel to convert at a time, which yields about `outputLimit` output
        /// samples per channel.
        var slice: Int { max(1, Resampler.outputLimit * Int(rate) / max(1, target.sampleRate)) }
    }

    /// The approximate number of output samples per channel to produce at a time. Most decoded frames yield fewer.
    private static let outputLimit = 1 << 14

    private var setup: Setup?
    private var converter: OpaquePointer?
    private var tempo: TempoFilter?
    private var samples: [Float] = []
    /// The media time of the first sample since the last setup, in nanoseconds.
    private var origin: Int64 = 0
    /// The media times of the input.
    private var timeline = SampleTimeline()
    /// The media time covered by the output since the last setup, in seconds.
    private var delivered = 0.0
    /// The factor by which audio plays faster or slower. The factor also changes the pitch, and takes effect with the
    /// next frame.
    var rateFactor = 1.0
    /// The factor by which the current frame plays faster or slower to correct drifting timestamps.
    private var driftFactor = 1.0
    /// The compensation last set in swresample; nil at first, when nothing is resampled for it.
    private var compensation: CInt?
    /// The part of the compensation that is due to `rateFactor`.
    private var appliedFactor = 1.0
    /// The number of output samples over which swresample spreads a compensation. The compensation is renewed with
    /// each frame, so it never runs out.
    private static let compensationDistance: CInt = 1 << 24

    init() {}

    deinit {
        var converter = converter
        swr_free(&converter)
    }

    /// The media time at which the frames converted so far end, in nanoseconds; nil before the first.
    var end: Int64? { timeline.end }

    /// Whether the next frame follows the previous one, wherever its timestamp is.
    var isContinuing: Bool { timeline.end != nil && !timeline.isAtSeam }

    /// Discards buffered samples, and forgets media times. The conversion is set up again for the next frame.
    mutating func reset() {
        timeline = SampleTimeline()
        close()
    }

    /// Notes that the media starts over: the next frame begins exactly at its timestamp.
    mutating func noteSeam() { timeline.noteSeam() }

    private mutating func close() {
        swr_free(&converter)
        tempo = nil
        setup = nil
        compensation = nil
        appliedFactor = 1
    }

    /// Converts a frame, and delivers the result if there is any. If the format cannot be converted, reports the problem
    /// and drops the frame.
    ///
    /// - Parameter time: The timestamp of the frame's first sample, in nanoseconds; nil if unknown.
    mutating func convert(
        _ frame: UnsafeMutablePointer<AVFrame>, time: Int64?, speed: Double, to target: AudioFormat,
        report: (PlaybackProblem) -> Void, deliver: (Chunk) -> Void
    ) {
        let layout = frame.pointee.ch_layout
        let wanted = Setup(
            rate: frame.pointee.sample_rate, sampleFormat: frame.pointee.format, channels: layout.nb_channels,
            channelMask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0, target: target, speed: speed)
        let begin = timeline.end
        let length = Double(frame.pointee.nb_samples) / Double(max(1, wanted.rate))
        let start: Int64?
        switch timeline.place(time, length: length) {
        case .follows(let factor): (start, driftFactor) = (wanted == setup ? nil : begin, factor)
        case .jumps(let time): (start, driftFactor) = (time, 1)
        }
        if let start {
            // The samples before a jump or a change of format are heard to their end.
            if setup?.target == target, setup?.speed == speed { finish(deliver) }
            close()
            if let reason = build(wanted, layout) {
                return report(.streamNotPlayable(kind: "audio", reason: reason))
            }
            setup = wanted
            origin = start
            delivered = 0
        }
        applyFactors()
        convertSlices(of: frame, wanted, deliver)
    }

    /// Makes swresample produce slightly fewer or more samples, to play audio faster or slower by `rateFactor` and
    /// `driftFactor`. Once started, resampling continues even at a factor of 1, since switching it off would be audible.
    private mutating func applyFactors() {
        let factor = rateFactor * driftFactor
        guard factor != 1 || compensation != nil, abs(factor - 1) < 0.5 else { return }
        let distance = Self.compensationDistance
        // At factor f and equal sample rates, each output sample takes f input samples.
        let delta = CInt(((1 - factor) * Double(distance)).rounded())
        guard swr_set_compensation(converter, delta, distance) >= 0 else { return }
        compensation = delta
        appliedFactor = (1 - Double(delta) / Double(distance)) / driftFactor
    }

    /// Converts a frame in slices, to limit the memory for its output.
    private mutating func convertSlices(
        of frame: UnsafeMutablePointer<AVFrame>, _ setup: Setup, _ deliver: (Chunk) -> Void
    ) {
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(setup.sampleFormat)) != 0
        let planeCount = isPlanar ? Int(setup.channels) : 1
        let step =
            Int(av_get_bytes_per_sample(AVSampleFormat(setup.sampleFormat))) * (isPlanar ? 1 : Int(setup.channels))
        let (count, slice) = (Int(frame.pointee.nb_samples), setup.slice)
        withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: planeCount) { planes in
            for start in stride(from: 0, to: count, by: slice) {
                for plane in 0..<planeCount {
                    planes[plane] = frame.pointee.extended_data[plane].map { UnsafePointer($0 + start * step) }
                }
                run(planes.baseAddress, CInt(min(slice, count - start)), deliver)
            }
        }
    }

    /// Delivers the samples still buffered at the end of the audio.
    mutating func drain(deliver: (Chunk) -> Void) {
        finish(deliver)
        reset()
    }

    private mutating func finish(_ deliver: (Chunk) -> Void) {
        guard setup != nil else { return }
        run(nil, 0, deliver)
        if let rest = tempo?.drain() { hand(over: rest, deliver) }
    }

    private mutating func run(
        _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: CInt, _ deliver: (Chunk) -> Void
    ) {
        guard let setup else { return }
        let channels = setup.target.channelCount
        // Enough for the slice and the filter's delay; a negative count is an error. Output that does not fit stays
        // buffered.
        let room = min(Int(swr_get_out_samples(converter, count)), 4 * Self.outputLimit)
        guard room > 0 else { return }
        if samples.count < room * channels { samples = [Float](repeating: 0, count: room * channels) }
        let converted = samples.withUnsafeMutableBytes { bytes in
            var output = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return Int(swr_convert(converter, &output, CInt(room), input, count))
        }
        guard converted > 0 else { return }
        if setup.speed == 1 {
            hand(over: samples[..<(converted * channels)], deliver)
        } else if let stretched = tempo?.process(samples[..<(converted * channels)]) {
            hand(over: stretched, deliver)
        }
    }

    private mutating func hand(over part: ArraySlice<Float>, _ deliver: (Chunk) -> Void) {
        guard let setup, !part.isEmpty else { return }
        let time = origin.addingClamped(Int64(clampingNanoseconds: delivered))
        let speed = setup.speed * appliedFactor
        delivered += Double(part.count / setup.target.channelCount) / Double(setup.target.sampleRate) * speed
        part.withUnsafeBufferPointer {
            deliver(Chunk(samples: $0, format: setup.target, time: time, speed: speed))
        }
    }

    /// Sets up the converter. Returns nil on success, or the reason for a failure.
    private mutating func build(_ setup: Setup, _ layout: AVChannelLayout) -> String? {
        if let reason = MemoryBudget.refusal(rate: setup.rate, channels: setup.channels) { return reason }
        var input = layout
        if input.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&input, setup.channels) }
        var output = AVChannelLayout()
        av_channel_layout_default(&output, CInt(setup.target.channelCount))
        let code = swr_alloc_set_opts2(
            &converter, &output, AV_SAMPLE_FMT_FLT, CInt(setup.target.sampleRate), &input,
            AVSampleFormat(setup.sampleFormat), setup.rate, 0, nil)
        guard code >= 0 else { return describe(code: code) }
        if let mix = ChannelMix.matrix(from: input, to: output) {
            _ = swr_set_matrix(converter, mix, CInt(input.nb_channels))
        }
        let started = swr_init(converter)
        guard started >= 0 else { return describe(code: started) }
        if setup.speed != 1 { tempo = TempoFilter(format: setup.target, speed: setup.speed) }
        return nil
    }
}
